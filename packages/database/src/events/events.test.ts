import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { insertOperation, randomHash } from '../../test/insert-operation.ts'
import { dropReplaced } from '../operations/drop-operations.ts'
import { recordRejection } from '../operations/record-delivery.ts'
import {
  endOperation,
  finalizeBlocks,
  type OperationInclusion,
  recordInclusion,
  recordReorg,
} from '../operations/record-inclusion.ts'
import type { OperationRow } from '../schema.ts'
import { describeEachEngine, freshDatabase, type TestDatabase } from '../testing/index.ts'
import {
  deleteAccountLogs,
  hasSubscribers,
  readSubscribedAccounts,
  recordLogPage,
  watchAccount,
} from './account-logs.ts'
import { publishEvents } from './publish-events.ts'
import { deleteEvents, readEvents, readLastPosition } from './read-events.ts'

const now = new Date()

const inclusionOf = ({ user_op_hash }: OperationRow, success = true): OperationInclusion => ({
  userOpHash: user_op_hash,
  txnHash: randomHash(),
  blockNumber: 12n,
  blockHash: randomHash(),
  timestamp: now,
  success,
  gasCost: 10n ** 30n,
  revertReason: success ? undefined : 'no',
})

describeEachEngine('events', (engine) => {
  let database: TestDatabase
  let account: string
  let db: TestDatabase['db']
  beforeAll(async () => {
    database = await freshDatabase(engine)
    db = database.db
    account = await insertAccount(db, 'alice')
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  const reread = ({ user_op_hash }: OperationRow) =>
    db.selectFrom('operations').selectAll().where('user_op_hash', '=', user_op_hash).executeTakeFirstOrThrow()

  /** The events of an operation, in order. */
  async function toldOf({ user_op_hash }: OperationRow) {
    await publishEvents(db, now)
    const events = await readEvents(db, { after: 0, account, limit: 1_000 })
    return events
      .map(({ type, data }) => ({
        type,
        ...(data as { userOpHash: string; state?: string; gasCost?: string }),
      }))
      .filter(({ userOpHash }) => userOpHash === user_op_hash)
  }
  const typesOf = async (row: OperationRow) => (await toldOf(row)).map(({ type }) => type)

  test('default: included, reorged, included again, final', async () => {
    const row = await insertOperation(db, account)
    await recordInclusion(db, inclusionOf(row))
    await recordReorg(db, await reread(row), now)
    const again = inclusionOf(row, false)
    await recordInclusion(db, again)
    await finalizeBlocks(db, row.network, [again.blockHash])
    const told = await toldOf(row)
    expect(told).toMatchObject([
      { type: 'operation.included', state: 'included', success: true, gasCost: String(10n ** 30n) },
      { type: 'operation.reorged', state: 'submitted', reason: { code: 'REORGED' } },
      { type: 'operation.reverted', state: 'included', success: false, blockHash: again.blockHash },
      { type: 'operation.final', state: 'included', final: true, blockHash: again.blockHash },
    ])
    expect(told[1]).not.toHaveProperty('blockHash')
  })

  test('behavior: an inclusion in another block is also a reorg', async () => {
    const row = await insertOperation(db, account)
    await recordInclusion(db, inclusionOf(row))
    const moved = inclusionOf(row)
    await recordInclusion(db, moved)
    await recordInclusion(db, moved) // no new event
    const told = await toldOf(row)
    expect(told).toMatchObject([
      { type: 'operation.included' },
      { type: 'operation.reorged', state: 'submitted', final: false },
      { type: 'operation.included', blockHash: moved.blockHash },
    ])
    expect(told[1]).not.toHaveProperty('txnHash')
  })

  test('behavior: an operation that loses its nonce is replaced, a rejected one is dropped', async () => {
    const key = { nonce_key: 7n }
    const [winner, loser] = [await insertOperation(db, account, key), await insertOperation(db, account, key)]
    await recordInclusion(db, inclusionOf(winner))
    expect(await typesOf(loser)).toEqual(['operation.replaced'])
    await endOperation(db, await reread(loser), { state: 'dropped' })
    expect(await typesOf(loser)).toEqual(['operation.replaced', 'operation.final'])

    const seen = await insertOperation(db, account, { nonce_key: 8n })
    await dropReplaced(db, seen)
    expect(await typesOf(seen)).toEqual(['operation.replaced'])

    const first = await insertOperation(db, account, { nonce_key: 9n })
    const follower = await insertOperation(db, account, { nonce_key: 9n, nonce_sequence: 1n })
    await db.transaction().execute((transaction) =>
      recordRejection(transaction, first, {
        ...{ reason_code: 'OPERATION_REFUSED', reason_message: 'no', isTaken: false },
      }),
    )
    for (const row of [first, follower]) expect(await typesOf(row)).toEqual(['operation.dropped'])
  })

  test('behavior: an expired operation is dropped and final', async () => {
    const row = await insertOperation(db, account, { nonce_key: 10n })
    await endOperation(db, row, { state: 'expired' })
    expect(await toldOf(row)).toMatchObject([
      { type: 'operation.dropped', state: 'expired' },
      { type: 'operation.final', state: 'expired' },
    ])
  })

  test('behavior: a rolled-back change sends no event, and neither does another attempt', async () => {
    const row = await insertOperation(db, account, { nonce_key: 11n })
    await expect(
      db.transaction().execute(async (transaction) => {
        await recordInclusion(transaction, inclusionOf(row))
        throw new Error('crash')
      }),
    ).rejects.toThrow('crash')
    await db
      .updateTable('operations')
      .set({ attempts: 5, state: 'submitted' })
      .where('user_op_hash', '=', row.user_op_hash)
      .execute()
    expect(await toldOf(row)).toEqual([])
  })

  test('behavior: orders send events from their submission on, and for a reorg of their claim', async () => {
    const order_id = randomHash()
    await db
      .insertInto('orders')
      .values({
        ...{ order_id, account, output_network: 2, type: 'AMOUNT_OUT', amount: 10n, fee: 1n, total: 11n },
        ...{ claim_amount: 10n, withdrawal_amount: 0n, withdrawal_fee: 0n, withdrawal_salt: null },
        ...{ withdrawal_deadline: null, withdrawal_digest: null, withdrawal_signature: null },
        ...{ withdrawal_state: 'none', nonce_key: 0n, nonce_sequence: 0n, signer_id: '0x', gas_budget: 1n },
        ...{ state: 'RESERVED', reserved_at: now, expires_at: now, order_hash: null, user_op_hash: null },
        ...{ txn_hash: null, block_number: null, block_hash: null, closed_at: null },
      })
      .execute()
    for (const change of [
      { expires_at: new Date() },
      { state: 'SUBMITTED' },
      { state: 'CLAIMED', outcome: 'claimed', txn_hash: '0x01' },
      { state: 'SUBMITTED', outcome: null, txn_hash: null },
      { state: 'FAILED', outcome: 'failed', txn_hash: '0x02' },
    ] as const) {
      await db.updateTable('orders').set(change).where('order_id', '=', order_id).execute()
    }
    await publishEvents(db, now)
    const events = await readEvents(db, { after: 0, account, limit: 1_000 })
    const told = events.filter(({ network }) => network === 2)
    expect(told).toMatchObject([
      { type: 'order.submitted', data: { orderId: order_id, total: '11' } },
      { type: 'order.claimed', data: { state: 'CLAIMED', outcome: 'claimed', txnHash: '0x01' } },
      { type: 'order.reorged', data: { state: 'SUBMITTED' } },
      { type: 'order.failed', data: { outcome: 'failed', txnHash: '0x02' } },
    ])
    expect(told[2]?.data).not.toHaveProperty('txnHash')
  })

  test('behavior: deposit events contain what changed', async () => {
    const entry = {
      ...{ account, network: 1, exiting: 0n, exit_ready_at: 0, block_number: 5, block_timestamp: 5 },
      ...{ pinned_signers: '[]', asked_signers: '[]', balance: 10n },
    }
    await db.insertInto('smart_balance_ledger').values(entry).execute()
    for (const change of [{ balance: 4n }, { block_number: 6 }, { exiting: 3n, exit_ready_at: 99 }]) {
      await db.updateTable('smart_balance_ledger').set(change).where('account', '=', account).execute()
    }
    await publishEvents(db, now)
    const events = await readEvents(db, { after: 0, account, limit: 1_000 })
    expect(events.filter(({ network }) => network === 1)).toMatchObject([
      { type: 'deposit.increased', data: { balance: '10', change: '10' } },
      { type: 'deposit.decreased', data: { balance: '4', change: '-6' } },
      { type: 'deposit.exiting', data: { exiting: '3', exitReadyAt: 99 } },
    ])
  })

  test('behavior: a log sends its event once, once more when it is final, and once when a reorg removes it', async () => {
    const log = (blockNumber: bigint, type: string) => ({
      ...{ blockHash: randomHash(), blockNumber, logIndex: 3, txnHash: randomHash(), account, type },
      data: { owner: '0x01' },
    })
    const [kept, lost] = [log(7n, 'owner.added'), log(8n, 'owner.removed')]
    const page = { found: [kept, lost], reorged: [], final: [], readTo: 0n, now }
    for (const next of [
      page,
      page,
      { ...page, found: [kept], reorged: [lost.blockHash], final: [kept.blockHash], readTo: 7n },
      { ...page, found: [kept], final: [kept.blockHash], reorged: [kept.blockHash] }, // a late process
    ]) {
      await recordLogPage(db, 77, next)
    }
    const read = async () => {
      await publishEvents(db, now)
      const events = await readEvents(db, { after: 0, account, limit: 1_000 })
      return events.filter(({ network }) => network === 77)
    }
    const told = await read()
    expect(told).toMatchObject([
      { type: 'owner.added', data: { owner: '0x01', change: 'added', final: false, blockNumber: '7' } },
      { type: 'owner.removed', data: { change: 'removed', logIndex: 3, blockHash: lost.blockHash } },
      { type: 'owner.reorged', data: { change: 'removed', txnHash: lost.txnHash, final: false } },
      { type: 'owner.final', data: { change: 'added', final: true, blockHash: kept.blockHash } },
    ])
    expect(await deleteAccountLogs(db, { before: now, limit: 10 })).toBe(1)
    expect(await read()).toHaveLength(told.length)
  })

  test('behavior: logs are read if a stream or a webhook subscribes to them', async () => {
    const later = new Date(now.getTime() + 1_000)
    const other = await insertAccount(db, 'bob')
    const wanted = () => readSubscribedAccounts(db, { now, limit: 10 })
    const endpoint = (id: string, types: string[], accounts: string[]) =>
      db
        .insertInto('webhook_endpoints')
        .values({
          ...{ id, key_name: 'k', url: 'http://x', secrets: '[]', created_at: now },
          ...{ types: JSON.stringify(types), accounts: JSON.stringify(accounts) },
        })
        .execute()
    expect([await hasSubscribers(db, now), await wanted()]).toEqual([false, []])
    await endpoint('operations', ['operation.*'], [])
    expect([await hasSubscribers(db, now), await wanted()]).toEqual([false, []])
    await watchAccount(db, { account, until: later })
    await watchAccount(db, { account, until: now }) // an earlier expiry changes nothing
    expect([await hasSubscribers(db, now), await wanted()]).toEqual([true, [account]])
    expect(await hasSubscribers(db, later)).toBe(false)
    await endpoint('one', ['transfer.received'], [other])
    expect([...((await wanted()) ?? [])].sort()).toEqual([account, other].sort())
    expect(await readSubscribedAccounts(db, { now: later, limit: 10 })).toEqual([other])
    await endpoint('all', [], [])
    expect(await readSubscribedAccounts(db, { now: later, limit: 10 })).toHaveLength(2)
    expect(await readSubscribedAccounts(db, { now: later, limit: 1 })).toBeUndefined()
    await db.deleteFrom('webhook_endpoints').execute()
    await db.deleteFrom('account_watches').execute()
  })

  test('behavior: positions have no gaps; the old ones are deleted', async () => {
    const row = await insertOperation(db, account, { nonce_key: 12n })
    await recordInclusion(db, inclusionOf(row))
    const last = await readLastPosition(db)
    expect(await publishEvents(db, now)).toBe(1)
    expect(await publishEvents(db, now)).toBe(0)
    const all = await readEvents(db, { after: 0, limit: 1_000 })
    expect(all.map(({ position }) => position)).toEqual(Array.from({ length: last + 1 }, (_, at) => at + 1))
    const before = new Date(Date.now() + 60_000)
    expect(await deleteEvents(db, { before, limit: 2 })).toBe(2)
    expect(await deleteEvents(db, { before, limit: 1_000 })).toBe(last - 1)
    expect(await readEvents(db, { after: 0, limit: 1 })).toEqual([])
    expect(await readLastPosition(db)).toBe(last + 1)
  })
})
