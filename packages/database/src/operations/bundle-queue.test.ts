import { type Kysely, type QueryCreator, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { insertOperation, randomHash } from '../../test/insert-operation.ts'
import type { Database, NewRelayerTransactionRow, OperationRow } from '../schema.ts'
import { describeEachEngine, freshDatabase, type TestDatabase } from '../testing/index.ts'
import { keepWaiting, type ReadVersion, recordBundle, rowVersion } from './bundle-queue.ts'

const now = new Date()
const network = 31337
const relayer = `0x${'7'.repeat(40)}`
const otherRelayer = `0x${'8'.repeat(40)}`

const rowOf = (changed: Partial<NewRelayerTransactionRow> = {}): NewRelayerTransactionRow => ({
  txn_hash: randomHash(),
  network,
  relayer,
  nonce: 0,
  intent: null,
  raw: '0x02',
  gas_limit: 2n ** 64n,
  max_fee_per_gas: 2n ** 128n,
  max_priority_fee_per_gas: 1n,
  state: 'live',
  block_number: null,
  block_hash: null,
  created_at: now,
  sent_at: null,
  loss: 0n,
  audited: false,
  spent: null,
  earned: null,
  unproven: false,
  urgent: false,
  ...changed,
})

/** Renews the lease of a relayer; a fence other than 1 is an old one. */
const renewing =
  (of: string, fence = 1) =>
  (db: QueryCreator<Database>) =>
    db
      .updateTable('relayer_leases')
      .set({ expires_at: now })
      .where('relayer', '=', of)
      .where('fence', '=', fence)
      .returning('fence')
const renew = renewing(relayer)

async function readVersions(db: Kysely<Database>, rows: readonly OperationRow[]): Promise<ReadVersion[]> {
  const hashes = rows.map(({ user_op_hash }) => user_op_hash)
  const read = await db
    .selectFrom('operations')
    .select(['user_op_hash as hash', rowVersion.as('version')])
    .where('user_op_hash', 'in', hashes)
    .execute()
  return read.toSorted((a, b) => hashes.indexOf(a.hash) - hashes.indexOf(b.hash))
}

describeEachEngine('recordBundle', (engine) => {
  let database: TestDatabase
  let db: TestDatabase['db']
  let account: string
  let sequence = 0n
  beforeAll(async () => {
    database = await freshDatabase(engine)
    db = database.db
    account = await insertAccount(db, 'alice')
    const lease = { network, holder: 'test', fence: 1, expires_at: now }
    await db
      .insertInto('relayer_leases')
      .values([
        { ...lease, relayer },
        { ...lease, relayer: otherRelayer },
      ])
      .execute()
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  const insertWaiting = (changed = {}) =>
    insertOperation(db, account, { nonce_sequence: sequence++, ...changed })

  const linksOf = (txnHash: string) =>
    db
      .selectFrom('relayer_transaction_operations')
      .select('user_op_hash')
      .where('txn_hash', '=', txnHash)
      .orderBy('position')
      .execute()
  const findTransaction = (txnHash: string) =>
    db.selectFrom('relayer_transactions').selectAll().where('txn_hash', '=', txnHash).executeTakeFirst()

  test('default: it writes the row and the links in bundle order, and clears the reasons of the wait', async () => {
    const rows = [
      await insertWaiting({ reason_code: 'FEE_TOO_LOW', reason_message: 'low' }),
      await insertWaiting(),
    ]
    const reversed = rows.toReversed()
    const transaction = rowOf()
    expect(await recordBundle(db, transaction, await readVersions(db, reversed), renew)).toBe('recorded')
    expect(await findTransaction(transaction.txn_hash)).toEqual(transaction)
    expect(await linksOf(transaction.txn_hash)).toEqual(
      reversed.map(({ user_op_hash }) => ({ user_op_hash })),
    )
    const [first] = await db
      .selectFrom('operations')
      .select(['reason_code', 'reason_message'])
      .where('user_op_hash', '=', rows[0]?.user_op_hash ?? '')
      .execute()
    expect(first).toEqual({ reason_code: null, reason_message: null })
  })

  test('behavior: a transaction that was lost is live again when the same bytes are sent', async () => {
    const rows = [await insertWaiting()]
    const transaction = rowOf({ nonce: 1 })
    await recordBundle(db, transaction, await readVersions(db, rows), renew)
    await db
      .updateTable('relayer_transactions')
      .set({ state: 'lost', block_number: 3, block_hash: randomHash(), sent_at: now })
      .where('txn_hash', '=', transaction.txn_hash)
      .execute()
    expect(await recordBundle(db, transaction, await readVersions(db, rows), renew)).toBe('recorded')
    expect(await findTransaction(transaction.txn_hash)).toEqual(transaction)
    expect(await linksOf(transaction.txn_hash)).toHaveLength(1)
  })

  test('behavior: without the lease it writes nothing', async () => {
    const read = await readVersions(db, [await insertWaiting()])
    const transaction = rowOf({ nonce: 2 })
    expect(await recordBundle(db, transaction, read, renewing(relayer, 2))).toBe('lease-lost')
    expect(await findTransaction(transaction.txn_hash)).toBeUndefined()
  })

  test('behavior: an operation that changed since it was read is taken', async () => {
    const rows = [await insertWaiting(), await insertWaiting()]
    const read = await readVersions(db, rows)
    const reason = { reason_code: 'FEE_TOO_LOW', reason_message: 'low' }
    await keepWaiting(db, [rows[1]?.user_op_hash ?? ''], reason)
    const transaction = rowOf({ nonce: 3 })
    expect(await recordBundle(db, transaction, read, renew)).toBe('taken')
    expect(await findTransaction(transaction.txn_hash)).toBeUndefined()
  })

  test('behavior: an operation belongs to one nonce; a replacement takes it along', async () => {
    const rows = [await insertWaiting()]
    await recordBundle(db, rowOf({ nonce: 4 }), await readVersions(db, rows), renew)
    const read = await readVersions(db, rows)
    expect(await recordBundle(db, rowOf({ nonce: 5 }), read, renew)).toBe('taken')
    const elsewhere = rowOf({ nonce: 4, relayer: otherRelayer })
    expect(await recordBundle(db, elsewhere, read, renewing(otherRelayer))).toBe('taken')
    expect(await recordBundle(db, rowOf({ nonce: 4, max_fee_per_gas: 2n }), read, renew)).toBe('recorded')
  })

  test('behavior: if two relayers write bundles with one operation at the same time, one of them gets it', async ({
    skip,
  }) => {
    skip(engine === 'pglite', 'PGlite has one connection')
    const rows = [await insertWaiting()]
    const read = await readVersions(db, rows)
    const locked = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    // The operation's row stays locked until both statements have begun.
    const holding = db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('operations')
        .select('user_op_hash')
        .where('user_op_hash', '=', rows[0]?.user_op_hash ?? '')
        .forUpdate()
        .execute()
      locked.resolve()
      await end.promise
    })
    await locked.promise
    const both = [
      recordBundle(db, rowOf({ nonce: 6 }), read, renew),
      recordBundle(db, rowOf({ nonce: 6, relayer: otherRelayer }), read, renewing(otherRelayer)),
    ]
    const countWaiting = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows[0]?.count
    }
    await expect.poll(countWaiting).toBe(2)
    end.resolve()
    await holding
    expect((await Promise.all(both)).toSorted()).toEqual(['recorded', 'taken'])
  })

  test('behavior: of a caller, one unproven transaction is on its way, whichever relayer sends it', async () => {
    const insert = (sentBy: string | null) => insertWaiting({ sent_by: sentBy })
    const rows = [await insert('address:a'), await insert('address:a'), await insert('address:b')]
    const [first, second, other] = await Promise.all(rows.map((row) => readVersions(db, [row])))
    const unproven = { unproven: true }
    const outcomes = await Promise.all([
      recordBundle(db, rowOf({ ...unproven, nonce: 7 }), first ?? [], renew),
      recordBundle(
        db,
        rowOf({ ...unproven, nonce: 7, relayer: otherRelayer }),
        second ?? [],
        renewing(otherRelayer),
      ),
    ])
    expect(outcomes.toSorted()).toEqual(['recorded', 'taken'])
    expect(await recordBundle(db, rowOf({ ...unproven, nonce: 8 }), other ?? [], renew)).toBe('recorded')
    // A replacement has the same nonce.
    const [sent, waiting] = outcomes[0] === 'recorded' ? [rows[0], rows[1]] : [rows[1], rows[0]]
    const by = outcomes[0] === 'recorded' ? relayer : otherRelayer
    const read = async (row: OperationRow | undefined) => readVersions(db, row ? [row] : [])
    const replacement = rowOf({ ...unproven, nonce: 7, relayer: by, max_fee_per_gas: 2n })
    expect(await recordBundle(db, replacement, await read(sent), renewing(by))).toBe('recorded')
    // Once it is seen in a block, the next one goes, before the relayer has settled its transaction.
    await db
      .updateTable('operations')
      .set({
        ...{ state: 'included', txn_hash: randomHash(), block_number: 1, block_hash: randomHash() },
        success: true,
      })
      .where('user_op_hash', '=', sent?.user_op_hash ?? '')
      .execute()
    expect(await recordBundle(db, rowOf({ ...unproven, nonce: 9 }), await read(waiting), renew)).toBe(
      'recorded',
    )
  })
})
