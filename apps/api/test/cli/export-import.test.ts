/** @module-tag all */
/** @module-tag longer */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LanyardError } from '@lanyard/contracts'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { devRoles, writeNetworksFile } from '@lanyard/devnet'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportedTables, leftTables } from '../../src/admin/maintenance/user-export/tables.ts'
import { startService } from '../../src/app/server.ts'
import { createApiKey } from '../../src/domain/accounts/api-keys/create-api-key.ts'
import { readEnv } from '../../src/platform/environment/env.ts'
import { withTimeout } from '../../src/platform/timeouts/with-timeout.ts'
import { ampleLimits } from '../ample-limits.ts'
import { payee, sign } from '../orders/order-service.ts'
import { restClient } from '../rest.ts'
import { type Fixture, type FixtureWallet, startFixture } from '../settlement/settlement-fixture.ts'
import { cliEngines, contextOf } from './cli-context.ts'
import { type CliContext, runInProcess } from './run-in-process.ts'

const networks = [31337, 31338, 31339] as const

/** Names the set-up step that times out. */
const step = <T>(name: string, work: Promise<T>) =>
  withTimeout(40_000, work, new LanyardError('INTERNAL', { message: `The set-up step timed out: ${name}.` }))

describe.each(cliEngines)('export and import (%s)', (engine) => {
  let fixture: Fixture
  let directory: string
  let NETWORKS_FILE: string
  let here: CliContext
  let wallet: FixtureWallet
  let passkeyUser: Awaited<ReturnType<Fixture['createPasskeyUser']>>
  let username: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read and edit single fields of the documents
  let documents: { wallet: any; passkey: any }

  const exportUser = async (from: CliContext, user: string, ...more: string[]) => {
    const ended = await runInProcess(from, 'export', '--user', user, ...more)
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    return ended.json()
  }
  let files = 0
  const write = async (...contents: unknown[]) => {
    const path = join(directory, `${files++}.json`)
    await writeFile(path, contents.map((content) => `${JSON.stringify(content)}\n`).join(''))
    return path
  }
  const importInto = async (database: TestDatabase, path: string, ...more: string[]) => {
    const ended = await runInProcess(contextOf(database), 'import', path, '--json', ...more)
    return { code: ended.code, ...ended.json() }
  }

  /**
   * Creates a closed order, an order with due debits, an unsigned operation, a replaced operation, a sponsored
   * operation and a sponsored one that nobody has signed.
   */
  async function makeHistory() {
    const closed = await fixture.spend(wallet, { amount: 10_000_000n, outputNetwork: 31337 })
    await fixture.passUntil(closed, { state: 'SETTLED' })
    await fixture.spendUntilDue(wallet, { amount: 150_000_000n, outputNetwork: 31339 })
    await fixture.on(31338).chain.setBalance({ address: wallet.address, value: 10n ** 18n })
    const build = async (more: object = {}) => {
      const request = { network: '31338', walletAddress: wallet.address, ...more }
      const { status, body } = await fixture.rest.post('/smart-account/transaction/build', request)
      expect(status, body.message).toBe(200)
      return body
    }
    const { messageToSign } = await build()
    const { user_op_hash: replaces } = await fixture.db
      .selectFrom('operations')
      .select('user_op_hash')
      .where('safe_op_hash', '=', messageToSign)
      .executeTakeFirstOrThrow()
    const sponsored = {
      network: '31337',
      paymasterData: 'sponsored',
      transactionDetails: [fixture.transfer(31337, payee, 0n)],
    }
    const signature = await sign.raw(wallet.owner, (await build(sponsored)).messageToSign)
    expect((await fixture.submit({ walletAddress: wallet.address, signature })).body).toMatchObject({
      success: true,
    })
    await build(sponsored)
    // The call differs: the same call with the same fees would be the same operation.
    await build({ replaces, transactionDetails: [fixture.transfer(31338, payee, 0n)] })
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lanyard-export-'))
    fixture = await step('networks and the service', startFixture(engine))
    wallet = await step('deposits', fixture.createFunded(networks))
    await step('orders and operations', makeHistory())
    passkeyUser = await step('a passkey', fixture.createPasskeyUser())
    NETWORKS_FILE = join(directory, 'networks.json')
    await writeNetworksFile(NETWORKS_FILE, fixture.devnet.networks)
    here = contextOf(fixture.database, { NETWORKS_FILE })
    const row = await fixture.db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.user_id', 'users.id')
      .select('username')
      .where('address', '=', wallet.address.toLowerCase())
      .executeTakeFirstOrThrow()
    username = row.username
    documents = {
      wallet: await step('the export', exportUser(here, username)),
      passkey: await exportUser(here, passkeyUser.username, '--without-chains'),
    }
  }, 120_000)
  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  })

  test('default: an import restores every column, and a second import changes nothing', async () => {
    await using elsewhere = await freshDatabase(engine)
    const path = await write(documents.wallet, documents.passkey, { format: 'lanyard-end', users: 2 })
    expect(await importInto(elsewhere, path)).toMatchObject({ code: 0, imported: 2, present: 0, refused: 0 })
    expect(await importInto(elsewhere, path)).toMatchObject({ code: 0, imported: 0, present: 2, refused: 0 })
    const { exported_at, derived, ...expected } = documents.wallet
    const sponsorships: SponsorshipRow[] = expected.sponsorships
    expect(await exportUser(contextOf(elsewhere), wallet.address)).toEqual({
      ...expected,
      // Nothing at the destination can tell who sent what another installation built, so nobody is suspended for it.
      sponsorships: sponsorships.map((row) => ({ ...row, verdict: row.verdict ?? 'fair' })),
      rp_id: null,
      exported_at: expect.any(String),
      derived: null,
    })
    expect(expected.operations.length).toBeGreaterThanOrEqual(4)
    expect(expected.orders.map(({ state }: { state: string }) => state)).toEqual(['SETTLED', 'ATTESTED'])
    expect(expected.attestations.length).toBeGreaterThanOrEqual(2)
    expect(sponsorships.map(({ kind, taken }) => [kind, taken])).toEqual([
      ['order', true],
      ['sponsored', true],
      ['sponsored', false],
    ])
    expect(expected.operations.some(({ replaces }: { replaces: string | null }) => replaces !== null)).toBe(
      true,
    )
    expect(await exportUser(contextOf(elsewhere), passkeyUser.username)).toMatchObject({
      credentials: [{ ...documents.passkey.credentials[0] }],
    })
  })

  test('behavior: after an import the user has the history, can sign in and send, and the open order completes', async () => {
    await using elsewhere = await freshDatabase(engine)
    const path = await write(documents.wallet, documents.passkey, { format: 'lanyard-end', users: 2 })
    await importInto(elsewhere, path)
    await using service = await startService(
      readEnv({
        PORT: '0',
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        ...ampleLimits,
        ORIGINS: 'http://localhost:3000',
      }),
      { database: elsewhere, networks: fixture.services.networks.list().map(({ config }) => config) },
    )
    const rest = restClient(service.url)
    const before = await fixture.rest.get(`/user?username=${username}`)
    expect(await rest.get(`/user?username=${username}`)).toEqual(before)
    const query = `username=${passkeyUser.username}`
    const options = await rest.get(`/webauthn/authenticate/generate-options?${query}`)
    const assertion = passkeyUser.passkey.get(options.body.passkeyAuthenticationOptions)
    expect(await rest.post(`/webauthn/authenticate/verify?${query}`, assertion)).toMatchObject({
      status: 200,
    })
    const built = await rest.post('/smart-account/transaction/build', {
      network: '31339',
      walletAddress: wallet.address,
      transactionDetails: [fixture.transfer(31339, payee, 0n)],
      paymasterData: 'sponsored',
    })
    expect(built).toMatchObject({ status: 200 })
    const signature = await sign.raw(wallet.owner, built.body.messageToSign)
    const submission = { walletAddress: wallet.address, signature }
    expect(await rest.post('/smart-account/transaction/submit', submission)).toMatchObject({
      status: 200,
      body: { success: true },
    })
    // Its debits were due at export time. The new installation collects them.
    const open = documents.wallet.orders[1].order_id
    const state = async () => {
      for (const chainId of networks) await fixture.finalize(chainId)
      return (await rest.get(`/v3/smartbalance/order?orderId=${open}`)).body.state
    }
    await expect.poll(state, { interval: 250 }).toBe('SETTLED')
  })

  test('behavior: --all streams one user per line, and a truncated file is detected', async () => {
    const { code, stdout, stderr } = await runInProcess(here, 'export', '--all', '--without-chains')
    expect([code, stderr]).toEqual([0, expect.stringContaining('2 users')])
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).format)).toEqual([
      'lanyard-user',
      'lanyard-user',
      'lanyard-end',
    ])
    await using elsewhere = await freshDatabase(engine)
    const cut = join(directory, 'cut.ndjson')
    await writeFile(cut, `${lines.slice(0, 2).join('\n')}\n{"format":"lanya`)
    expect(await importInto(elsewhere, cut, '--dry-run')).toMatchObject({
      code: 1,
      complete: false,
      imported: 2,
    })
    const { users } = await importInto(elsewhere, cut, '--dry-run')
    expect(users.map(({ state }: { state: string }) => state)).toEqual(['imported', 'imported', 'refused'])
    expect(await elsewhere.db.selectFrom('users').selectAll().execute()).toEqual([])
    const whole = join(directory, 'whole.ndjson')
    await writeFile(whole, stdout)
    expect(await importInto(elsewhere, whole)).toMatchObject({ code: 0, complete: true, imported: 2 })
  })

  test('behavior: every table is exported completely or is listed as not exported', async () => {
    const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'`.execute(
      fixture.db,
    )
    const known = [...Object.keys(exportedTables), ...Object.keys(leftTables)]
    expect(known.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
    const allDocuments = Object.values(documents)
    for (const [table, member] of Object.entries(exportedTables)) {
      const counted = await sql<{
        count: string
      }>`select count(*)::text as count from ${sql.table(table)}`.execute(fixture.db)
      const exported = allDocuments.flatMap((document) => document[member])
      expect([table, String(exported.length)]).toEqual([table, counted.rows[0]?.count])
      expect(exported.length, table).toBeGreaterThan(0)
    }
  })

  test('behavior: repeated imports count sponsored gas once in the budget of its day', async () => {
    await using elsewhere = await freshDatabase(engine)
    const path = await write(documents.wallet)
    await importInto(elsewhere, path)
    await importInto(elsewhere, path)
    const rows: SponsorshipRow[] = documents.wallet.sponsorships
    expect(rows.map(({ policy, taken }) => [policy, taken])).toEqual([
      ['local', true],
      ['local', true],
      ['local', false],
    ])
    expect(new Set(rows.map(({ builder }) => builder))).toEqual(
      new Set([expect.stringMatching(/^[0-9a-f]{32}$/)]),
    )
    const scopes = ['', ` account:${wallet.address.toLowerCase()}`, ` caller:${rows[0]?.builder}`, ' key:']
    const days = [...new Set(rows.map(({ day }) => day)), 'total']
    const budgets = scopes.flatMap((scope) =>
      days.map((day) => ({
        network: 31337,
        budget: `policy:local${scope}`,
        day,
        ...sumOf(rows.filter((row) => day === 'total' || row.day === day)),
      })),
    )
    const found = elsewhere.db.selectFrom('sponsorship_days').selectAll().orderBy('budget').orderBy('day')
    expect(await found.execute()).toEqual(budgets)
  })

  test('behavior: an export shows the state on each network and names a network that does not answer', async () => {
    expect(documents.wallet.derived.networks).toMatchObject([
      { network: 31337, deployed: true, owners: [wallet.owner.address], sessions: [], deposit: {} },
      { network: 31338, deployed: false, owners: [wallet.owner.address] },
      { network: 31339, deployed: true },
    ])
    const file = JSON.parse(await readFile(NETWORKS_FILE, 'utf8'))
    file.networks[1].rpcUrls = ['http://127.0.0.1:9']
    const { derived } = await exportUser(
      contextOf(fixture.database, { NETWORKS_FILE: await write(file) }),
      wallet.address,
    )
    expect(derived.networks[1]).toEqual({ network: 31338, unavailable: 'NETWORK_UNAVAILABLE' })
    expect(derived.networks[2]).toMatchObject({ deployed: true })
  })

  test('behavior: an export contains no secret', async () => {
    const { key } = await createApiKey(
      fixture.db,
      { kind: 'secret', name: 'canary', origins: [] },
      new Date(),
    )
    await fixture.rest.get(`/webauthn/authenticate/generate-options?username=${passkeyUser.username}`)
    const file = JSON.parse(await readFile(NETWORKS_FILE, 'utf8'))
    for (const network of file.networks)
      network.rpcUrls = network.rpcUrls.map((url: string) => `${url}/?key=canary-rpc`)
    const withSecrets = {
      NETWORKS_FILE: await write(file),
      OPERATOR_PRIVATE_KEY: devRoles.operator.privateKey,
      SETTLER_PRIVATE_KEY: devRoles.settler.privateKey,
    }
    const { code, stdout } = await runInProcess(contextOf(fixture.database, withSecrets), 'export', '--all')
    expect(code).toBe(0)
    const tables = [
      'token_keys',
      'api_keys',
      'challenges',
      'idempotency_keys',
      'relayer_transactions',
    ] as const
    const stored = await Promise.all(
      tables.map((table) =>
        sql<{ row: object }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(fixture.db),
      ),
    )
    const secrets = stored
      .flatMap(({ rows }) => rows.flatMap(({ row }) => leaves(row)))
      // Names, states, numbers and on-chain hashes are not secret.
      .filter((text) => text.length >= 32 && !/^0x[0-9a-f]{64}$/.test(text) && !/^[0-9a-f-]{36}$/.test(text))
    expect(secrets.length).toBeGreaterThan(5)
    const known = [key, 'canary-rpc', withSecrets.OPERATOR_PRIVATE_KEY, withSecrets.SETTLER_PRIVATE_KEY]
    for (const secret of [...secrets, ...known]) {
      expect(stdout.includes(secret), secret).toBe(false)
    }
  })

  describe('conflicts', () => {
    const refused = async (database: TestDatabase, document: unknown, ...more: string[]) => {
      const { code, users } = await importInto(database, await write(document), ...more)
      return { code, state: users[0].state, conflicts: users[0].conflicts.join('; ') }
    }
    const edited = (document: object, edit: (copy: typeof documents.wallet) => void) => {
      const copy = structuredClone(document)
      edit(copy)
      return copy
    }
    let elsewhere: TestDatabase
    let empty: TestDatabase
    beforeAll(async () => {
      empty = await freshDatabase(engine)
      elsewhere = await freshDatabase(engine)
      await importInto(elsewhere, await write(documents.wallet))
      await importInto(elsewhere, await write(documents.passkey))
    })
    afterAll(async () => {
      await empty[Symbol.asyncDispose]()
      await elsewhere[Symbol.asyncDispose]()
    })

    test.each<[string, (copy: typeof documents.wallet) => void, string]>([
      [
        'another address',
        (copy) => {
          copy.account.address = `0x${'1'.repeat(40)}`
        },
        'gives another address',
      ],
      [
        'another first owner',
        (copy) => {
          copy.account.eoa_address = `0x${'1'.repeat(40)}`
        },
        'gives another address',
      ],
      [
        'another module',
        (copy) => {
          copy.account.deployment.module = `0x${'1'.repeat(40)}`
        },
        'gives another address',
      ],
      [
        'an edited operation',
        (copy) => {
          copy.operations[0].user_op.callGasLimit = '1'
        },
        'has another hash',
      ],
      [
        'an operation of another network',
        (copy) => {
          copy.operations[0].network = 1
        },
        'has another hash',
      ],
      [
        'an order of an unknown account',
        (copy) => {
          copy.orders[0].account = `0x${'1'.repeat(40)}`
        },
        'does not belong to anything',
      ],
      [
        'a reservation above the maximum cost of the operation',
        (copy) => {
          copy.sponsorships[0].reserved = '1000000000000000000000000'
        },
        'does not match that operation',
      ],
      [
        'a user without a name',
        (copy) => {
          copy.user.username = ' '
        },
        'the username is not valid',
      ],
      [
        'an unknown member',
        (copy) => {
          copy.operations[0].note = 'x'
        },
        'operations.0',
      ],
      [
        'a later version of the format',
        (copy) => {
          copy.version = 2
        },
        'has version 2 of the format',
      ],
      [
        'another format',
        (copy) => {
          copy.format = 'other'
        },
        'not a document',
      ],
    ])('error: %s', async (_name, edit, message) => {
      const result = await refused(empty, edited(documents.wallet, edit))
      expect(result).toMatchObject({ code: 1, state: 'refused', conflicts: expect.stringContaining(message) })
      expect(await empty.db.selectFrom('users').selectAll().execute()).toEqual([])
    })

    test('error: the username belongs to another account', async () => {
      const other = await exportUser(here, wallet.address, '--without-chains')
      await using empty = await freshDatabase(engine)
      await importInto(empty, await write(documents.passkey))
      other.user.username = passkeyUser.username.toUpperCase()
      expect(await refused(empty, other)).toMatchObject({
        conflicts: expect.stringContaining(
          `the username "${passkeyUser.username}" belongs to another account here (${passkeyUser.address.toLowerCase()})`,
        ),
      })
    })

    test('error: the address exists with another initializer', async () => {
      await using changed = await freshDatabase(engine)
      await importInto(changed, await write(documents.wallet))
      await sql`update accounts set deployment = jsonb_set(deployment, '{saltNonce}', '"7"')`.execute(
        changed.db,
      )
      expect(await refused(changed, documents.wallet)).toMatchObject({
        conflicts: expect.stringContaining('is already here with another initializer: deployment differ'),
      })
    })

    test('error: the passkey or its key belongs to another user', async () => {
      const withForeignPasskey = edited(documents.wallet, (copy) => {
        copy.credentials = [
          { ...documents.passkey.credentials[0], user_id: copy.user.id, first_owner: false },
        ]
      })
      expect(await refused(elsewhere, withForeignPasskey)).toMatchObject({
        conflicts: expect.stringContaining('is registered here for another user'),
      })
    })

    test('error: passkeys of another domain are rejected without --other-rp-id', async () => {
      await using foreign = await freshDatabase(engine)
      await foreign.db.insertInto('relying_party').values({ rp_id: 'other.example', origins: '[]' }).execute()
      expect(await refused(foreign, documents.passkey)).toMatchObject({
        conflicts: expect.stringContaining('the passkeys are of the domain localhost'),
      })
      const path = await write(documents.passkey)
      expect(await importInto(foreign, path, '--other-rp-id')).toMatchObject({ code: 0, imported: 1 })
      expect(await importInto(foreign, await write(documents.wallet))).toMatchObject({ code: 0, imported: 1 })
    })

    test('behavior: an EOA account that exists at the destination keeps its username and gets the history', async () => {
      await using both = await freshDatabase(engine)
      await importInto(
        both,
        await write(
          edited(documents.wallet, (copy) => {
            Object.assign(copy, {
              operations: [],
              sponsorships: [],
              orders: [],
              order_operations: [],
              order_debits: [],
              attestations: [],
            })
            copy.user.id = copy.account.user_id = crypto.randomUUID()
            copy.user.username = 'other-name'
          }),
        ),
      )
      expect(await importInto(both, await write(documents.wallet))).toMatchObject({ code: 0, imported: 1 })
      const { user, operations } = await exportUser(contextOf(both), wallet.address)
      expect([user.username, operations.length]).toEqual(['other-name', documents.wallet.operations.length])
    })

    test('behavior: the signature counter of a passkey never decreases', async () => {
      await sql`update credentials set counter = 9`.execute(elsewhere.db)
      const older = edited(documents.passkey, (copy) => {
        copy.credentials[0].counter = 4
      })
      await importInto(elsewhere, await write(older))
      const newer = edited(documents.passkey, (copy) => {
        copy.credentials[0].counter = 12
      })
      const read = () => elsewhere.db.selectFrom('credentials').select('counter').executeTakeFirst()
      expect(await read()).toEqual({ counter: 9 })
      await importInto(elsewhere, await write(newer))
      expect(await read()).toEqual({ counter: 12 })
    })

    test.each([
      [['export'], 'either --user or --all'],
      [['export', '--all', '--user', 'x'], 'either --user or --all'],
      [['export', '--user', 'nobody-of-this-name'], 'There is no user'],
      [['import', '/nowhere/at/all.json'], 'cannot be read (ENOENT)'],
    ])('error: %s', async (args, message) => {
      const ended = await runInProcess(here, ...args)
      expect(ended).toMatchObject({
        code: expect.toSatisfy((code) => code > 0),
        stderr: expect.stringContaining(message),
      })
    })
  })
})

/** A row of `sponsorships` in a document. */
interface SponsorshipRow {
  readonly kind: string
  readonly policy: string
  readonly builder: string
  readonly day: string
  readonly reserved: string
  readonly taken: boolean
  readonly charged: string | null
  readonly verdict: string | null
}

/** What rows take from a budget: their cost once it is certain, before that the most they can cost. */
function sumOf(rows: readonly SponsorshipRow[]) {
  const sum = { taken: 0n, settled: 0n, operations: 0, promised: 0n, promises: 0 }
  for (const { reserved, charged, taken } of rows) {
    if (charged === null && !taken) {
      sum.promised += BigInt(reserved)
      sum.promises++
      continue
    }
    sum.taken += BigInt(charged ?? reserved)
    sum.settled += BigInt(charged ?? 0)
    if (charged !== '0') sum.operations++
  }
  return sum
}

/** Every string in a JSON value. */
function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}
