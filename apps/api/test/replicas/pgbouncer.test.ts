/** @module-tag all */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  freshDatabase,
  hasPgbouncer,
  startPgbouncer,
  type TestDatabase,
  testEngines,
} from '@lanyard/database/testing'
import { startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderChains, payee } from '../orders/order-chains.ts'
import { restClient } from '../rest.ts'
import { type ConfiguredService, startConfigured } from '../start-configured.ts'

const network = 31337
const allowed = 150
const isPossible = hasPgbouncer && testEngines().includes('postgresql')
if (!isPossible) console.log('skipped: the service behind PgBouncer needs PostgreSQL and PgBouncer')

/** Two replicas on one database, which only a pooler in transaction mode reaches. */
describe.skipIf(!isPossible)('a service behind PgBouncer', () => {
  const stack = new AsyncDisposableStack()
  let database: TestDatabase
  let replicas: readonly ConfiguredService[]
  let fund: (address: string) => Promise<void>

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lanyard-pgbouncer-'))
    stack.defer(() => rm(directory, { recursive: true }))
    const devnet = stack.use(await startDevnet({ chainIds: [network] }))
    const networksFile = join(directory, 'networks.json')
    await writeNetworksFile(networksFile, devnet.networks)
    database = stack.use(await freshDatabase('postgresql', { migrated: false }))
    const pooler = stack.use(await startPgbouncer(database.url ?? ''))
    const { chain } = orderChains(devnet).on(network)
    fund = (address) => chain.setBalance({ address: address as `0x${string}`, value: parseEther('1000') }) // of the service's answer
    replicas = await Promise.all(
      [1, 2].map(() =>
        startConfigured({
          NETWORKS_FILE: networksFile,
          DATABASE_URL: pooler.url,
          RATE_LIMITS: 'on',
          RATE_LIMIT_READS: String(allowed),
        }),
      ),
    )
    for (const replica of replicas) stack.use(replica)
  })
  afterAll(() => stack.disposeAsync())

  test('default: replicas that start together migrate once, and leave no lock behind', async () => {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database.db)
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
    const locks = await sql`select from pg_locks where locktype = 'advisory'`.execute(database.db)
    expect(locks.rows).toEqual([])
  })

  test('behavior: operations are built, signed and included, on either replica', async () => {
    const owner = privateKeyToAccount(randomPrivateKey())
    const [first, second] = replicas.map(({ url }) => restClient(url))
    const { body } = (await first?.post('/smart-account/create', { eoaAddress: owner.address })) ?? {}
    const walletAddress = body.wallet.scw_address
    await fund(walletAddress)
    for (let turn = 0; turn < 5; turn++) {
      const build = await first?.post('/smart-account/transaction/build', {
        ...{ network: String(network), walletAddress },
        transactionDetails: [{ targetContractAddress: payee, value: '0', encodedData: '0x' }],
      })
      const submitted = await second?.post('/smart-account/transaction/submit', {
        walletAddress,
        signature: await owner.signMessage({ message: { raw: build?.body.messageToSign } }),
      })
      expect(submitted).toMatchObject({ status: 200, body: { success: true } })
    }
  })

  test('behavior: replicas count the requests of a caller together', async () => {
    const call = async (index: number) => {
      const url = replicas[index % replicas.length]?.url
      const address = `0x${index.toString(16).padStart(40, '0')}`
      return (await fetch(`${url}/wallet/balances?walletAddress=${address}`)).status
    }
    const statuses: number[] = []
    for (let from = 0; from < 2 * allowed; from += 10)
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => call(from + index)))))
    // The creation of the account was one.
    expect(statuses.filter((status) => status !== 429).length).toBe(allowed - 1)
  })
})
