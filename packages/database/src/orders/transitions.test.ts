/** @module-tag all */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderRow } from '../schema.ts'
import { freshDatabase, type TestDatabase } from '../testing/index.ts'
import { createEoaAccount } from '../users/create-eoa-account.ts'
import { closeOrders, expireOrder } from './close.ts'
import { recordCosignature } from './cosign.ts'
import { recordAttested, recordOrderOutcome } from './record-outcome.ts'
import { returnReorgedOrder } from './reopen.ts'
import { reserveOrderRow } from './reserve.ts'
import { extendReservation, recordOrderOperation, returnOrder, submitOrder } from './sign.ts'

/* Each transition is tried from every state, and writes only from those that it names. */

const states = ['RESERVED', 'SUBMITTED', 'CLAIMED', 'FAILED', 'ATTESTED', 'SETTLED', 'EXPIRED'] as const
type State = OrderRow['state']

const now = new Date(1_700_000_000_000)
const account = `0x${'aa'.repeat(20)}`
const hashOf = (id: number, kind: string) => `0x${kind.repeat(31)}${id.toString(16).padStart(2, '0')}`

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
  await createEoaAccount(database.db, {
    address: account,
    eoaAddress: account,
    deployment: {},
    createdAt: now,
  })
})
afterAll(() => database?.[Symbol.asyncDispose]())

let count = 0

/** An order in a state, with a debit and with one operation that the operator signed. */
async function orderIn(state: State) {
  const id = ++count
  const [orderId, orderHash, userOpHash] = [hashOf(id, '0d'), hashOf(id, '0e'), hashOf(id, '0f')]
  const { db } = database
  await db.transaction().execute(async (transaction) => {
    await reserveOrderRow(
      transaction,
      {
        order_id: orderId,
        account,
        output_network: 1,
        type: 'AMOUNT_OUT',
        amount: 100n,
        fee: 1n,
        total: 101n,
        claim_amount: 90n,
        withdrawal_amount: 10n,
        withdrawal_fee: 0n,
        nonce_key: BigInt(id),
        nonce_sequence: 0n,
        signer_id: hashOf(id, '51'),
        gas_budget: 1n,
        reserved_at: now,
        expires_at: now,
      },
      [{ network: 2, amount: 90n, fail_fee: 1n }],
    )
    await transaction
      .insertInto('operations')
      .values({
        user_op_hash: userOpHash,
        account,
        network: 1,
        entry_point: account,
        nonce_key: BigInt(id),
        nonce_sequence: 0n,
        user_op: '{}',
        safe_op_hash: userOpHash,
        valid_after: 0,
        valid_until: 0,
        sign_mode: 'ECDSA',
        value: 0n,
        deploys: false,
        state: 'built',
        built_at: now,
        build_expires_at: now,
      })
      .execute()
    await recordOrderOperation(transaction, {
      order_hash: orderHash,
      order_id: orderId,
      user_op_hash: userOpHash,
      paymaster_and_data: '0x',
      valid_until: 0,
      created_at: now,
    })
  })
  const isOpen = state !== 'SETTLED' && state !== 'EXPIRED'
  const isDecided = state === 'CLAIMED' || state === 'FAILED' || state === 'ATTESTED' || state === 'SETTLED'
  await db
    .updateTable('orders')
    .set({
      state,
      closed_at: isOpen ? null : now,
      ...(isDecided && { outcome: 'claimed', order_hash: orderHash, block_hash: '0xb1', block_number: 1 }),
      ...(state !== 'RESERVED' && { user_op_hash: userOpHash }),
    })
    .where('order_id', '=', orderId)
    .execute()
  const read = () =>
    db.selectFrom('orders').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow()
  return { orderId, orderHash, userOpHash, read }
}

type Order = Awaited<ReturnType<typeof orderIn>>
const inTransaction = (work: Parameters<ReturnType<TestDatabase['db']['transaction']>['execute']>[0]) =>
  database.db.transaction().execute(work)

const transitions: readonly {
  readonly name: string
  readonly from: readonly State[]
  readonly run: (order: Order) => Promise<unknown>
}[] = [
  {
    name: 'recordCosignature',
    from: ['RESERVED'],
    run: ({ orderId }) =>
      inTransaction((transaction) =>
        recordCosignature(transaction, orderId, {
          salt: '0x01',
          deadline: 1,
          digest: '0x02',
          signature: '0x03',
        }),
      ),
  },
  {
    name: 'extendReservation',
    from: ['RESERVED', 'SUBMITTED', 'CLAIMED', 'FAILED', 'ATTESTED'],
    run: ({ orderId }) =>
      inTransaction((transaction) => extendReservation(transaction, { order_id: orderId }, 2_000_000_000)),
  },
  {
    name: 'submitOrder',
    from: ['RESERVED', 'SUBMITTED'],
    run: ({ userOpHash }) =>
      inTransaction((transaction) => submitOrder(transaction, { user_op_hash: userOpHash })).catch(
        () => undefined, // REBUILD
      ),
  },
  {
    name: 'returnOrder',
    from: ['SUBMITTED'],
    run: ({ userOpHash }) =>
      inTransaction((transaction) => returnOrder(transaction, { user_op_hash: userOpHash })),
  },
  {
    name: 'recordOrderOutcome',
    from: ['RESERVED', 'SUBMITTED'],
    run: ({ orderHash }) =>
      recordOrderOutcome(database.db, {
        orderHash,
        outcome: 'failed',
        txnHash: '0x07',
        blockNumber: 7n,
        blockHash: '0x08',
      }),
  },
  {
    name: 'recordAttested',
    from: ['CLAIMED', 'FAILED'],
    run: async ({ read }) => recordAttested(database.db, await read()),
  },
  {
    name: 'returnReorgedOrder',
    from: ['CLAIMED', 'FAILED'],
    run: async ({ read }) => returnReorgedOrder(database.db, await read()),
  },
  {
    name: 'expireOrder',
    from: ['RESERVED', 'SUBMITTED'],
    run: ({ orderId }) =>
      inTransaction((transaction) => expireOrder(transaction, { orderId, signed: 1, now })),
  },
  {
    name: 'expireOrder, after the operator has signed again',
    from: [],
    run: ({ orderId }) =>
      inTransaction((transaction) => expireOrder(transaction, { orderId, signed: 0, now })),
  },
  {
    name: 'closeOrders',
    from: ['ATTESTED'],
    run: ({ orderId }) =>
      inTransaction((transaction) =>
        closeOrders(transaction, { orderIds: [orderId], from: ['ATTESTED'], to: 'SETTLED', now }),
      ),
  },
]

test.each(transitions)('behavior: $name writes only from $from', async ({ from, run }) => {
  const written: State[] = []
  for (const state of states) {
    const order = await orderIn(state)
    const before = await order.read()
    await run(order)
    if (JSON.stringify(await order.read(), asText) !== JSON.stringify(before, asText)) written.push(state)
  }
  expect(written).toEqual(from)
})

const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
