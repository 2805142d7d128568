/** @module-tag all */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate, type OpenDatabase, openDatabase } from '@lanyard/database'
import { findPostgresBinaries, startTemporaryCluster } from '@lanyard/database/testing'
import { startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderChains, payee } from '../orders/order-chains.ts'
import { writePolicies } from '../policies-file.ts'
import { type RestClient, restClient } from '../rest.ts'
import { startConfigured } from '../start-configured.ts'

const network = 31337
const binaries = findPostgresBinaries()
const shipped = (name: string) =>
  readFile(new URL(`../../../../deploy/database/${name}`, import.meta.url), 'utf8')

describe.skipIf(binaries === undefined)('the shipped roles', () => {
  const stack = new AsyncDisposableStack()
  let urlOf: (role: string) => string
  let administratorName: string
  let administrator: OpenDatabase
  let service: OpenDatabase
  let rest: RestClient
  let networksFile: string
  let walletAddress: string
  const owner = privateKeyToAccount(randomPrivateKey())

  beforeAll(async () => {
    if (binaries === undefined) return
    const directory = await mkdtemp(join(tmpdir(), 'lanyard-roles-'))
    stack.defer(() => rm(directory, { recursive: true }))
    const devnet = stack.use(await startDevnet({ chainIds: [network] }))
    networksFile = join(directory, 'networks.json')
    await writeNetworksFile(networksFile, devnet.networks)
    const cluster = stack.use(await startTemporaryCluster(binaries))
    administratorName = new URL(cluster.url).username
    urlOf = (role) => {
      const url = new URL(cluster.url)
      url.username = role
      return url.href
    }
    administrator = stack.use(await openDatabase({ url: cluster.url }))
    await administrator.pool?.query(await shipped('roles.sql'))
    const migrating = stack.use(await openDatabase({ url: urlOf('lanyard_owner') }))
    await migrate(migrating.db)
    await migrating.pool?.query(await shipped('privileges.sql'))
    service = stack.use(await openDatabase({ url: urlOf('lanyard_service_a') }))
    const started = stack.use(await startService('lanyard_service_a'))
    rest = restClient(started.url)
    const { body } = await rest.post('/smart-account/create', { eoaAddress: owner.address })
    walletAddress = body.wallet.scw_address
    const { chain } = orderChains(devnet).on(network)
    await chain.setBalance({ address: body.wallet.scw_address, value: parseEther('1000') })
  })
  afterAll(() => stack.disposeAsync())

  const startService = (role: string) =>
    startConfigured({
      NETWORKS_FILE: networksFile,
      DATABASE_URL: urlOf(role),
      MIGRATE_ON_START: 'false',
      ROLES: 'api,worker,admin',
      CONSOLE_PORT: '0',
      OPERATIONS_ARCHIVE_AFTER: '30',
      POLICIES_FILE: writePolicies({ id: 'all', budgets: { day: { wei: String(parseEther('1')) } } }),
    })

  async function operate(client: RestClient, more: object = {}) {
    const build = await client.post('/smart-account/transaction/build', {
      ...{ network: String(network), walletAddress, ...more },
      transactionDetails: [{ targetContractAddress: payee, value: '0', encodedData: '0x' }],
    })
    expect(build, JSON.stringify(build.body)).toMatchObject({ status: 200 })
    const submitted = await client.post('/smart-account/transaction/submit', {
      walletAddress,
      signature: await owner.signMessage({ message: { raw: build.body.messageToSign } }),
    })
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
  }

  test('default: the service works under the least role', async () => {
    await operate(rest)
    await operate(rest, { paymasterData: 'sponsored' })
    const { rows } = await sql`select from operations where state = 'included'`.execute(service.db)
    expect(rows).toHaveLength(2)
  })

  test('behavior: the service creates months of the archive, which belong to the owner', async () => {
    await sql`select ensure_archive_partition('2026-01')`.execute(service.db)
    const { rows } = await sql`
      select tableowner from pg_tables where tablename = 'archived_operations_2026_01'`.execute(service.db)
    expect(rows).toEqual([{ tableowner: 'lanyard_owner' }])
    expect((await sql`select from archived_operations`.execute(service.db)).rows).toEqual([])
  })

  test.each([
    'create table mine (id int4)',
    'drop table operations',
    'alter table operations add column mine int4',
    'truncate operations',
    'update audit_log set act = act',
    'delete from audit_log',
    'alter table audit_log disable trigger all',
    'delete from kysely_migration',
    'create role mine',
  ])('error: the service may not: %s', async (statement) => {
    await expect(sql.raw(statement).execute(service.db)).rejects.toThrow(/denied|owner/)
  })

  test('behavior: the reader reads operations, and no secret', async () => {
    await using reader = await openDatabase({ url: urlOf('lanyard_reader') })
    const read = (table: string) => sql`select * from ${sql.table(table)} limit 1`.execute(reader.db)
    expect((await read('operations')).rows).toHaveLength(1)
    for (const table of ['token_keys', 'api_keys', 'webhook_endpoints', 'operator_sessions', 'challenges'])
      await expect(read(table), table).rejects.toThrow('denied')
    await expect(sql`update operations set state = state`.execute(reader.db)).rejects.toThrow(
      /denied|read-only/,
    )
  })

  test('behavior: roles limit statements where a pooler keeps processes from doing so', async () => {
    const { rows } = await sql<{ settings: string[] }>`
      select rolconfig as settings from pg_roles where rolname like 'lanyard_service__'`.execute(
      administrator.db,
    )
    expect(rows).toHaveLength(2)
    for (const { settings } of rows)
      expect(settings).toEqual(['statement_timeout=10s', 'idle_in_transaction_session_timeout=15s'])
  })

  test('behavior: an installation under one user changes to the roles, and its user works meanwhile', async () => {
    await sql`create role old_user login`.execute(administrator.db)
    await sql`create database taken owner old_user`.execute(administrator.db)
    const takenBy = (role: string) => {
      const url = new URL(urlOf(role))
      url.pathname = '/taken'
      return url.href
    }
    const readOperations = (database: OpenDatabase) =>
      database.db.selectFrom('operations').selectAll().execute()
    await using old = await openDatabase({ url: takenBy('old_user') })
    await migrate(old.db)

    const file = fileURLToPath(new URL('../../../../deploy/database/take-over.sql', import.meta.url))
    const url = takenBy(administratorName)
    const options = ['-v', 'ON_ERROR_STOP=1', '-v', 'user=old_user', '-f', file, url]
    const { status, stderr } = spawnSync('psql', options, { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    expect(await readOperations(old)).toEqual([])
    await using owner = await openDatabase({ url: takenBy('lanyard_owner') })
    // A later version's migration may change every table and function.
    const { rows } = await sql`
      select relname as name from pg_class where pg_get_userbyid(relowner) = 'old_user'
      union all select proname from pg_proc where pg_get_userbyid(proowner) = 'old_user'
      union all select datname from pg_database where pg_get_userbyid(datdba) = 'old_user'`.execute(owner.db)
    expect(rows).toEqual([])
    await owner.pool?.query(await shipped('privileges.sql'))
    await sql`revoke lanyard_owner from old_user`.execute(administrator.db)
    await expect(readOperations(old)).rejects.toThrow('denied')
    await using next = await openDatabase({ url: takenBy('lanyard_service_b') })
    expect(await readOperations(next)).toEqual([])
  })

  test('behavior: the password changes without a pause: the other member takes over, then the first is locked', async () => {
    await using next = await startService('lanyard_service_b')
    await operate(restClient(next.url))
    await operate(rest)
    await sql`alter role lanyard_service_a nologin`.execute(administrator.db)
    await expect(openDatabase({ url: urlOf('lanyard_service_a') })).rejects.toThrow('not permitted')
    await operate(restClient(next.url))
  })
})
