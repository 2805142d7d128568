/** @module-tag all */
/** @module-tag longer */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveOperations, type Database } from '@lanyard/database'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { writeNetworksFile } from '@lanyard/devnet'
import { type Kysely, sql } from 'kysely'
import { parseEther, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sign } from '../orders/order-service.ts'
import { type Fixture, type FixtureWallet, startFixture } from '../settlement/settlement-fixture.ts'
import { cliEngines, contextOf } from './cli-context.ts'
import { runInProcess } from './run-in-process.ts'

/** The network on which the orders are claimed, and the network from which they are collected. */
const [output, source] = [31339, 31337]

const tables = [
  ...['users', 'accounts', 'operations', 'orders', 'order_operations', 'order_debits'],
  'attestations',
] as (keyof Database)[]

type Rows = Record<string, Record<string, unknown>[]>

describe.each(cliEngines)('repair (%s)', (engine) => {
  let fixture: Fixture
  let directory: string
  let networks: string
  let wallet: FixtureWallet
  /** An included operation without an order, and an operation that was built but not sent. */
  let plain: string
  let unsent: string
  /** A closed order, an order with due debits, and a reserved order whose operation was not sent. */
  let orders: { closed: string; due: string; reserved: string }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lanyard-repair-'))
    fixture = await startFixture(engine)
    networks = join(directory, 'networks.json')
    await writeNetworksFile(networks, fixture.devnet.networks)
    wallet = await fixture.createFunded([31337, 31338, 31339])
    const closed = await fixture.spend(wallet, { amount: 120_000_000n, outputNetwork: output })
    await fixture.passUntil(closed, { state: 'SETTLED' })
    const due = await fixture.spendUntilDue(wallet, { amount: 110_000_000n, outputNetwork: output })
    for (const chainId of [31337, 31338])
      await fixture.on(chainId).chain.setBalance({ address: wallet.address, value: parseEther('1') })
    const build = async (network: number, more: object = {}) => {
      const request = { network: String(network), walletAddress: wallet.address, ...more }
      const { status, body } = await fixture.rest.post('/smart-account/transaction/build', request)
      expect(status, body.message).toBe(200)
      return body
    }
    const first = await build(31337)
    const signature = await sign.raw(wallet.owner, first.messageToSign)
    const submitted = await fixture.submit({ walletAddress: wallet.address, signature })
    expect(submitted.body).toMatchObject({ success: true })
    plain = submitted.body.userOpHash
    const { messageToSign } = await build(31338)
    const row = await fixture.db
      .selectFrom('operations')
      .select('user_op_hash')
      .where('safe_op_hash', '=', messageToSign)
      .executeTakeFirstOrThrow()
    unsent = row.user_op_hash
    const { orderId } = await fixture.build(wallet, { amount: 1_000_000n, outputNetwork: 31338 })
    orders = { closed, due, reserved: orderId }
    for (const chainId of [31337, 31338, 31339]) await fixture.finalize(chainId)
  })
  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  })

  /** A copy of the fixture's database that a test may change. */
  async function copy(): Promise<TestDatabase> {
    const database = await freshDatabase(engine)
    for (const table of tables) {
      const rows = sql<{ all: string | null }>`select jsonb_agg(t)::text as all from ${sql.table(table)} t`
      const { all } = (await rows.execute(fixture.db)).rows[0] ?? {}
      if (!all) continue
      const named = sql<{ names: string }>`select string_agg(quote_ident(column_name), ', ') as names
        from information_schema.columns where table_name = ${table} and is_generated = 'NEVER'`
      const names = sql.raw((await named.execute(database.db)).rows[0]?.names ?? '')
      await sql`insert into ${sql.table(table)} (${names}) select ${names}
        from jsonb_populate_recordset(null::${sql.table(table)}, ${all}::jsonb)`.execute(database.db)
    }
    return database
  }

  async function dump(db: Kysely<Database>): Promise<Rows> {
    const rows = await Promise.all(
      tables.map((table) =>
        sql<{ row: Record<string, unknown> }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(
          db,
        ),
      ),
    )
    const dumped: Rows = Object.fromEntries(
      rows.map((result, index) => [tables[index], sorted(result.rows.map(({ row }) => row))]),
    )
    // The version counts how often an account was locked, so a repair changes it.
    const accounts = dumped.accounts?.map(({ version: _, ...account }) => account) ?? []
    return { ...dumped, accounts }
  }

  const repair = async (database: TestDatabase, network: number, ...args: string[]) => {
    const ended = await runInProcess(
      contextOf(database, { NETWORKS_FILE: networks }),
      'repair',
      '--network',
      String(network),
      '--json',
      ...args,
    )
    const document = ended.json()
    expect(document.error).toBeUndefined()
    return { code: ended.code, stderr: ended.stderr, ...document }
  }

  test('default: an unchanged database has no differences on any network', async () => {
    for (const chainId of [31337, 31338, 31339]) {
      expect(await repair(fixture.database, chainId)).toMatchObject({ code: 0, differences: [] })
    }
    const { stdout } = await runInProcess(
      contextOf(fixture.database, { NETWORKS_FILE: networks }),
      'repair',
      '--network',
      String(output),
    )
    expect(stdout).toBe('The database agrees with the chain.\n')
  })

  test('behavior: operations of a month that was detached from the archive are not unknown', async () => {
    await using database = await copy()
    const { db } = database
    await db.updateTable('operations').set({ final: true }).where('user_op_hash', '=', plain).execute()
    const now = new Date(Date.now() + 60_000)
    await archiveOperations(db, { network: source, before: now, now, limit: 1_000 })
    const { rows } = await sql<{ name: string }>`
      select tableoid::regclass::text as name from archived_operations where user_op_hash = ${plain}`.execute(
      db,
    )
    expect(await repair(database, source)).toMatchObject({ code: 0, differences: [] })

    await sql`alter table archived_operations detach partition ${sql.table(rows[0]?.name ?? '')}`.execute(db)
    expect(await repair(database, source)).toMatchObject({ code: 0, differences: [] })

    // Without the note of the month, they are. The first block that the database still knows may be a later one.
    await sql`delete from archived_months`.execute(db)
    const { code, differences } = await repair(database, source, '--from-block', '0')
    expect(code).toBe(1)
    expect(differences).toContainEqual(
      expect.objectContaining({ kind: 'OPERATION_UNKNOWN', subject: plain, repairable: false }),
    )
  })

  test('behavior: a restored backup shows what a relayer sent after it, also for accounts that it does not have', async () => {
    await using database = await copy()
    const { db } = database
    const all = await fixture.db
      .selectFrom('relayer_transactions')
      .selectAll()
      .where('network', '=', source)
      .execute()
    const { txn_hash } = await fixture.db
      .selectFrom('relayer_transaction_operations')
      .where('user_op_hash', '=', plain)
      .select('txn_hash')
      .executeTakeFirstOrThrow()
    const sent = all.find((row) => row.txn_hash === txn_hash)
    if (!sent) throw new TypeError('The bundle of an operation has a row.')
    // As the backup has the relayer: its last transaction was the one before.
    const { block_number } = sent
    const last = {
      ...sent,
      txn_hash: zeroHash,
      nonce: sent.nonce - 1,
      block_number: Number(block_number) - 1,
    }
    await db.insertInto('relayer_transactions').values(last).execute()
    // An operation that has its row is not missing, whatever carried it.
    expect(await repair(database, source)).toMatchObject({ code: 0, differences: [] })
    await db.deleteFrom('operations').where('user_op_hash', '=', plain).execute()
    expect((await repair(database, source)).differences).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'RELAYER_TRANSACTION_UNKNOWN', subject: sent.txn_hash, account: sent.relayer },
        ...{ repairable: false, chain: expect.objectContaining({ nonce: sent.nonce, operations: plain }) },
      }),
    )
  })

  interface Case {
    readonly name: string
    readonly network: number
    readonly corrupt: () => ReturnType<typeof sql>[]
    readonly kind: string
    readonly subject: () => unknown
    /** Columns that the chain does not determine. They may differ after the repair. */
    readonly except?: string[]
    /** Checks the repaired row. Absent if the repair restores the original row. */
    readonly becomes?: (rows: Rows) => void
  }

  const notIncluded = sql`txn_hash = null, block_number = null, block_hash = null, included_at = null, success = null, gas_cost = null`

  const cases: Case[] = [
    {
      name: 'an included operation that is marked as dropped and final',
      network: source,
      corrupt: () => [
        sql`update operations set state = 'dropped', final = true, reason_code = 'REPLACED', ${notIncluded} where user_op_hash = ${plain}`,
      ],
      kind: 'OPERATION_INCLUDED',
      subject: () => plain,
      except: ['final'],
    },
    {
      name: 'a build that the owner sent without the service',
      network: source,
      corrupt: () => [
        sql`update operations set state = 'built', signature = null, signed_at = null, signed_at_block = null, ${notIncluded}
          where user_op_hash = ${plain}`,
      ],
      kind: 'OPERATION_INCLUDED',
      subject: () => plain,
      except: ['signature', 'signed_at', 'signed_at_block'],
    },
    {
      name: 'a wrong transaction, cost and outcome',
      network: source,
      corrupt: () => [
        sql`update operations set final = true, txn_hash = ${zeroHash}, gas_cost = 1, success = false where user_op_hash = ${plain}`,
      ],
      kind: 'INCLUSION_DIFFERS',
      subject: () => plain,
      except: ['final'],
    },
    {
      name: 'a wrong block',
      network: source,
      corrupt: () => [
        sql`update operations set final = true, block_number = block_number - 2, included_at = included_at + interval '1 hour'
          where user_op_hash = ${plain}`,
      ],
      kind: 'INCLUSION_DIFFERS',
      subject: () => plain,
      except: ['final'],
    },
    {
      name: 'an inclusion that never happened',
      network: 31338,
      corrupt: () => [
        sql`update operations set state = 'included', signature = '0x00', signed_at = now(), signed_at_block = 1,
          txn_hash = ${zeroHash}, block_number = 3, block_hash = ${zeroHash}, included_at = now(), success = true,
          gas_cost = 1, final = true where user_op_hash = ${unsent}`,
      ],
      kind: 'INCLUSION_NOT_ON_CHAIN',
      subject: () => unsent,
      becomes: (rows) =>
        expect(rows.operations?.find(({ user_op_hash }) => user_op_hash === unsent)).toMatchObject({
          ...{ state: 'submitted', final: false, block_hash: null, next_attempt_at: expect.anything() },
        }),
    },
  ]

  test.each(cases)(
    'behavior: repair reports and fixes this difference and nothing else: $name',
    { tags: ['all'] },
    async (one) => {
      await using database = await copy()
      const before = await dump(database.db)
      for (const statement of one.corrupt()) await statement.execute(database.db)
      const corrupted = await dump(database.db)
      expect(corrupted).not.toEqual(before)

      const found = await repair(database, one.network, '--from-block', '0')
      expect(found).toMatchObject({
        code: 1,
        left: 1,
        differences: [{ kind: one.kind, subject: one.subject(), repairable: true, repaired: false }],
      })
      expect(await dump(database.db)).toEqual(corrupted)

      expect(await repair(database, one.network, '--from-block', '0', '--apply')).toMatchObject({
        code: 0,
        left: 0,
        differences: [{ kind: one.kind, repaired: true }],
      })
      const after = await dump(database.db)
      if (one.becomes) one.becomes(after)
      else expect(without(after, one.except)).toEqual(without(before, one.except))
      expect(withoutSubject(after, one.subject())).toEqual(withoutSubject(before, one.subject()))
      expect(await repair(database, one.network)).toMatchObject({ code: 0, differences: [] })
    },
  )

  test('behavior: repair reopens an expired order that was claimed, so that it is collected', async () => {
    await using database = await copy()
    await sql`update orders set state = 'EXPIRED', outcome = null, order_hash = null, user_op_hash = null, txn_hash = null,
      block_number = null, block_hash = null, closed_at = now() where order_id = ${orders.due}`.execute(
      database.db,
    )
    await sql`update order_debits set state = 'RELEASED', due = null where order_id = ${orders.due}`.execute(
      database.db,
    )
    expect(await repair(database, output, '--apply')).toMatchObject({
      code: 0,
      differences: [
        {
          kind: 'ORDER_OUTCOME',
          subject: orders.due,
          database: { state: 'EXPIRED' },
          chain: { state: 'CLAIMED' },
          repaired: true,
        },
      ],
    })
    const read = () =>
      database.db
        .selectFrom('orders')
        .innerJoin('order_debits', 'order_debits.order_id', 'orders.order_id')
        .select(['orders.state', 'orders.closed_at', 'order_debits.state as debit'])
        .where('orders.order_id', '=', orders.due)
        .execute()
    const rows = await read()
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toEqual({ state: 'CLAIMED', closed_at: null, debit: 'RESERVED' })
  })

  test('behavior: repair reports a lost row and does not recreate it', async () => {
    await using database = await copy()
    await sql`delete from operations where user_op_hash = ${plain}`.execute(database.db)
    const before = await dump(database.db)
    expect(await repair(database, source, '--from-block', '0', '--apply')).toMatchObject({
      code: 1,
      differences: [{ kind: 'OPERATION_UNKNOWN', subject: plain, repairable: false, repaired: false }],
    })
    expect(await dump(database.db)).toEqual(before)

    const { order_hash } = await database.db
      .selectFrom('orders')
      .select('order_hash')
      .where('order_id', '=', orders.due)
      .executeTakeFirstOrThrow()
    for (const table of ['attestations', 'order_debits', 'order_operations', 'orders']) {
      const key = table === 'attestations' ? sql`order_hash = ${order_hash}` : sql`order_id = ${orders.due}`
      await sql`delete from ${sql.table(table)} where ${key}`.execute(database.db)
    }
    expect(await repair(database, output, '--apply')).toMatchObject({
      code: 1,
      differences: [{ kind: 'ORDER_UNKNOWN', subject: order_hash, repairable: false }],
    })
  })

  test('behavior: repair reports an attested claim that is not on the chain and does not change it', async () => {
    await using database = await copy()
    await sql`update order_operations set order_hash = ${zeroHash} where order_id = ${orders.reserved}`.execute(
      database.db,
    )
    await sql`update orders set state = 'ATTESTED', outcome = 'claimed', order_hash = ${zeroHash}, block_number = 3,
      block_hash = ${zeroHash}, txn_hash = ${zeroHash}, user_op_hash = ${unsent} where order_id = ${orders.reserved}`.execute(
      database.db,
    )
    expect(await repair(database, 31338, '--apply')).toMatchObject({
      code: 1,
      differences: [{ kind: 'ORDER_OUTCOME_NOT_ON_CHAIN', repairable: false, repaired: false }],
    })
  })

  test.each([
    [
      'another EOA as the first owner',
      sql`eoa_address = ${`0x${'1'.repeat(40)}`} where eoa_address is not null`,
    ],
    [
      'a passkey as the first owner',
      sql`eoa_address = null, passkey_x = 1, passkey_y = 1, passkey_verifiers = 1 where eoa_address is not null`,
    ],
    ['the whole deployment', sql`deployment = '{}' where eoa_address is not null`],
  ])(
    'behavior: repair reports creation data that contradicts the address, and does not change it: %s',
    async (_name, change) => {
      await using database = await copy()
      await sql`update accounts set ${change}`.execute(database.db)
      const corrupted = await dump(database.db)
      expect((await repair(database, source, '--apply')).differences).toMatchObject([
        { kind: 'ACCOUNT_CONTRADICTS_ITSELF', subject: wallet.address.toLowerCase(), repairable: false },
      ])
      expect(await dump(database.db)).toEqual(corrupted)
    },
  )

  test('behavior: a row that changes between the read and the repair keeps its new value', async ({
    skip,
  }) => {
    skip(engine === 'pglite', 'PGlite has one connection')
    await using database = await copy()
    await sql`update operations set gas_cost = 1, final = true where user_op_hash = ${plain}`.execute(
      database.db,
    )
    // The lock makes the repair wait. Afterwards the row differs from the one that was read.
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const changing = database.db.transaction().execute(async (transaction) => {
      await sql`update operations set signature = '0x1234' where user_op_hash = ${plain}`.execute(transaction)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const repairing = repair(database, source, '--apply')
    await expect
      .poll(async () => {
        const { rows } = await sql<{
          waits: boolean
        }>`select exists (select from pg_locks where not granted) as waits`.execute(fixture.db)
        return rows[0]?.waits
      })
      .toBe(true)
    release.resolve()
    await changing
    expect(await repairing).toMatchObject({
      code: 1,
      left: 1,
      differences: [{ kind: 'INCLUSION_DIFFERS', repaired: false }],
    })
  })

  test('args: --account', async () => {
    await using database = await copy()
    await sql`update operations set gas_cost = 1, final = true where user_op_hash = ${plain}`.execute(
      database.db,
    )
    const { address } = await fixture.createWallet()
    const context = contextOf(database, { NETWORKS_FILE: networks })
    const thirdParty = await runInProcess(
      context,
      'repair',
      '--network',
      String(source),
      '--account',
      address,
    )
    expect(thirdParty).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not an account of this service'),
    })
    expect(await repair(database, source, '--account', wallet.owner.address)).toMatchObject({ left: 1 })
    expect(await repair(fixture.database, source, '--account', address)).toMatchObject({
      code: 0,
      differences: [],
    })
  })

  test.each([
    ['a range that ends before it begins', ['--from-block', '9', '--to-block', '3'], 'is after --to-block'],
    ['an empty range', ['--range', '0'], 'at least one block'],
    ['an invalid block number', ['--from-block', 'x'], 'Expected a block number'],
  ])('error: %s', async (_name, args, message) => {
    const ended = await runInProcess(
      contextOf(fixture.database, { NETWORKS_FILE: networks }),
      'repair',
      '--network',
      String(source),
      ...args,
    )
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })
})

const without = (rows: Rows, columns: readonly string[] = []): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([table, list]) => [
      table,
      sorted(
        list.map((row) =>
          Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column))),
        ),
      ),
    ]),
  )

const sorted = (list: readonly Record<string, unknown>[]) =>
  list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** All rows except those of the subject. */
const withoutSubject = (rows: Rows, subject: unknown): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([table, list]) => [
      table,
      list.filter(
        (row) => ![row.user_op_hash, row.order_id, row.account, row.address, row.id].includes(subject),
      ),
    ]),
  )
