/** @module-tag all */

import { type Database, type OrderRow, returnOrder, submitOrder } from '@lanyard/database'
import { describeEachEngine, freshDatabase } from '@lanyard/database/testing'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { account, operationRow, orderRow } from '../../../../test/rows.ts'
import { orderNonces } from '../orders/operation-hooks.ts'
import { takeOrderPosition } from '../orders/reserve-order.ts'
import { findSpendableBalance } from './spendable-balance.ts'

const now = new Date()
const signer = `0x${'51'.repeat(32)}` as const
const source = 2
const outputNetwork = 31337
const hash = (digits: string) => `0x${digits.repeat(32)}`

/** An account with a deposit of 1000 on the source network. */
async function insertAccount(db: Kysely<Database>): Promise<void> {
  const id = '00000000-0000-0000-0000-000000000001'
  await db
    .insertInto('users')
    .values({ id, kind: 'eoa', username: 'a', username_key: 'a', created_at: now })
    .execute()
  await db
    .insertInto('accounts')
    .values({ address: account, user_id: id, eoa_address: account, deployment: '{}', created_at: now })
    .execute()
  const signers = JSON.stringify([signer])
  await db
    .insertInto('smart_balance_ledger')
    .values({
      account,
      network: source,
      balance: 1_000n,
      exiting: 0n,
      exit_ready_at: 0,
      pinned_signers: signers,
      asked_signers: signers,
      block_number: 1,
      block_timestamp: 1,
    })
    .execute()
}

/** An order with a debit of 500 on the source network, signed by the operator. */
async function insertSigned(db: Kysely<Database>, digits: string, changed: Partial<OrderRow>) {
  const id = hash(digits)
  const row = orderRow({
    order_id: id,
    amount: 400n,
    total: 430n,
    claim_amount: 400n,
    withdrawal_amount: 0n,
    withdrawal_salt: null,
    withdrawal_deadline: null,
    withdrawal_digest: null,
    withdrawal_signature: null,
    withdrawal_state: 'none',
    nonce_sequence: 0n,
    reserved_at: now,
    expires_at: new Date(now.getTime() + 600_000),
    ...changed,
  })
  const { nonce_key, nonce_sequence } = row
  const operation = operationRow({ user_op_hash: id, nonce_key, nonce_sequence, built_at: now })
  await db
    .insertInto('operations')
    .values({ ...operation, user_op: '{}', build_expires_at: row.expires_at })
    .execute()
  await db.insertInto('orders').values(row).execute()
  await db
    .insertInto('order_debits')
    .values({ order_id: id, network: source, amount: 500n, fail_fee: 1n, state: 'RESERVED' })
    .execute()
  await db
    .insertInto('order_operations')
    .values({
      order_hash: id,
      order_id: id,
      user_op_hash: id,
      paymaster_and_data: '0x',
      valid_until: 2_000_000_000,
      created_at: now,
    })
    .execute()
}

const liquidity = { amount: 10n ** 9n, blockNumber: 1n, timestamp: 1 }

async function readBalance(db: Kysely<Database>, sequences?: readonly bigint[]) {
  const balance = await findSpendableBalance(db, {
    account,
    outputNetwork,
    liquidity,
    networks: [source],
    now,
    ...(sequences && { sequences }),
  })
  const available = balance.depositsOf(signer).find(({ network }) => network === source)?.available
  return { ...balance, available }
}

describeEachEngine('findSpendableBalance', (engine) => {
  test('behavior: two signed orders at different nonces both count because both could be included', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    await insertAccount(db)
    await insertSigned(db, 'a1', { nonce_key: 0n, reserved_at: new Date(now.getTime() - 2_000) })
    // The first order is pending when the second is reserved on another lane. Then the bundler rejects the
    // first before sending it.
    const first = operationRow({ user_op_hash: hash('a1') })
    await db.transaction().execute((transaction) => submitOrder(transaction, first))
    await insertSigned(db, 'b2', { nonce_key: 1n })
    await db.transaction().execute((transaction) => returnOrder(transaction, first))

    const balance = await readBalance(db)
    expect(balance.competing).toEqual({ key: 1n, sequence: 0n })
    expect(balance.available).toBe(500n)
  })

  test('behavior: a signed order whose nonce is used still holds its deposits, and no new order takes that nonce', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    await insertAccount(db)
    await insertSigned(db, 'a1', { nonce_key: 0n, nonce_sequence: 4n })
    expect((await readBalance(db)).competing).toEqual({ key: 0n, sequence: 4n })

    const sequences = Array.from({ length: 16 }, (_, lane) => (lane === 0 ? 5n : 0n))
    const byChain = await readBalance(db, sequences)
    expect(byChain).toMatchObject({ competing: undefined, available: 500n })

    const included = operationRow({
      user_op_hash: hash('c3'),
      nonce_sequence: 4n,
      state: 'included',
      txn_hash: hash('7a'),
      block_number: 1,
      block_hash: hash('b1'),
      success: true,
      gas_cost: 1n,
      included_at: now,
    })
    await db
      .insertInto('operations')
      .values({ ...included, user_op: '{}', signature: '0x01', signed_at: now })
      .execute()
    const byTable = await readBalance(db)
    expect(byTable).toMatchObject({ competing: undefined, available: 500n })
    const state = { deployed: true, balance: 0n, deposit: 0n, sequences: sequences.map(() => 0n) }
    const position = await db.transaction().execute((transaction) =>
      takeOrderPosition(transaction, {
        nonceHolders: [orderNonces],
        account,
        outputNetwork,
        state,
        builtBy: 'test',
        balance: byTable,
        now,
      }),
    )
    expect(position).not.toMatchObject({ key: 0n, sequence: 4n })
  })
})
