import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { insertOperation, randomHash } from '../../test/insert-operation.ts'
import type { Database, OperationRow } from '../schema.ts'
import { describeEachEngine, freshDatabase, type TestDatabase } from '../testing/index.ts'
import { finalizeBlocks, type OperationInclusion, recordInclusion } from './record-inclusion.ts'

const now = new Date()
const relayer = `0x${'7'.repeat(40)}`

const inclusionIn = (txnHash: string, { user_op_hash }: OperationRow): OperationInclusion => ({
  userOpHash: user_op_hash,
  txnHash,
  blockNumber: 12n,
  blockHash: randomHash(),
  timestamp: now,
  success: true,
  gasCost: 1n,
  revertReason: undefined,
})

const positionOf = (db: Kysely<Database>, hash: string) =>
  db
    .selectFrom('relayer_transactions')
    .select(['state', 'block_number', 'block_hash'])
    .where('txn_hash', '=', hash)
    .executeTakeFirstOrThrow()

describeEachEngine('the relayer transaction of an inclusion', (engine) => {
  let database: TestDatabase
  let db: TestDatabase['db']
  let account: string
  let nonce = 0
  beforeAll(async () => {
    database = await freshDatabase(engine)
    db = database.db
    account = await insertAccount(db, 'alice')
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  async function insertTransaction(state: 'live' | 'lost' = 'live'): Promise<string> {
    const hash = randomHash()
    await db
      .insertInto('relayer_transactions')
      .values({
        ...{ txn_hash: hash, network: 31337, relayer, nonce: nonce++, raw: '0x02', state },
        ...{ gas_limit: 1n, max_fee_per_gas: 1n, max_priority_fee_per_gas: 1n },
        ...{ block_number: null, block_hash: null, created_at: now, sent_at: now },
      })
      .execute()
    return hash
  }

  test('default: it is mined, in the block of its operations; others stay as they are', async () => {
    const [hash, other] = [await insertTransaction(), await insertTransaction()]
    const rows = [
      await insertOperation(db, account, { nonce_sequence: 1n }),
      await insertOperation(db, account, { nonce_sequence: 2n }),
    ]
    const inclusion = inclusionIn(hash, rows[0] as OperationRow)
    await Promise.all(rows.map((row) => recordInclusion(db, { ...inclusion, userOpHash: row.user_op_hash })))
    expect(await positionOf(db, hash)).toEqual({
      state: 'mined',
      block_number: 12,
      block_hash: inclusion.blockHash,
    })
    expect(await positionOf(db, other)).toMatchObject({ state: 'live', block_number: null })
  })

  test('behavior: a lost transaction is mined if its operation is, whatever was sent with its nonce since', async () => {
    const hash = await insertTransaction('lost')
    nonce--
    const other = await insertTransaction()
    const inclusion = inclusionIn(hash, await insertOperation(db, account, { nonce_sequence: 3n }))
    await recordInclusion(db, inclusion)
    expect(await positionOf(db, hash)).toMatchObject({ state: 'mined', block_hash: inclusion.blockHash })
    // Its sender finds out what became of it.
    expect(await positionOf(db, other)).toMatchObject({ state: 'live', block_number: null })
  })

  test('behavior: an operation that is final changes neither row', async () => {
    const row = await insertOperation(db, account, { nonce_sequence: 4n })
    const inclusion = inclusionIn(randomHash(), row) // in another bundler's transaction
    await recordInclusion(db, inclusion)
    await finalizeBlocks(db, row.network, [inclusion.blockHash])
    const hash = await insertTransaction()
    await recordInclusion(db, inclusionIn(hash, row))
    expect(await positionOf(db, hash)).toMatchObject({ state: 'live' })
  })

  test('behavior: it does not wait for a sender that writes the row', async ({ skip }) => {
    skip(engine === 'pglite', 'PGlite has one connection')
    const hash = await insertTransaction()
    const row = await insertOperation(db, account, { nonce_sequence: 5n })
    const written = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const sending = db.transaction().execute(async (sender) => {
      await sender
        .updateTable('relayer_transactions')
        .set({ sent_at: now })
        .where('txn_hash', '=', hash)
        .execute()
      written.resolve()
      await end.promise
    })
    await written.promise
    await recordInclusion(db, inclusionIn(hash, row)) // would never end if it waited
    end.resolve()
    await sending
    const { state } = await db
      .selectFrom('operations')
      .select('state')
      .where('user_op_hash', '=', row.user_op_hash)
      .executeTakeFirstOrThrow()
    expect(state).toBe('included')
    expect(await positionOf(db, hash)).toMatchObject({ state: 'live' }) // its sender reads the receipt
  })
})
