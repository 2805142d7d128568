import {
  type Database,
  type OrderDebitRow,
  type OrderRow,
  openDebitStates,
  settleDebit,
} from '@lanyard/database'
import { type OrderRecord, settlementWindow } from '@lanyard/smart-balance'
import type { Transaction } from 'kysely'
import type { Hex } from 'viem'
import type { Deposit } from './read-deposit.ts'

interface OpenDebit extends Pick<OrderDebitRow, 'order_id' | 'amount' | 'fail_fee' | 'state' | 'due'> {
  readonly order_state: OrderRow['state']
  /** The operations that the operator signed for the order: at most one of them is ever included. */
  readonly operations: readonly { readonly orderHash: Hex; readonly validUntil: number }[]
}

/**
 * Applies the settlements of an account's debits in a final block. `PARTIAL` may still become `SETTLED`: the
 * rest stays due and held while the order may be settled.
 */
export async function applySettlements(
  transaction: Transaction<Database>,
  account: string,
  { network, block, settled }: Deposit,
): Promise<void> {
  for (const debit of await findOpenDebits(transaction, account, network)) {
    const change = changeOf(debit, settled, block.timestamp)
    if (!change) continue
    await settleDebit(transaction, { order_id: debit.order_id, network }, change)
  }
}

type Change = Pick<OrderDebitRow, 'state' | 'due' | 'settled_amount'>

function changeOf(
  { amount, fail_fee, state, due: proven, order_state, operations }: OpenDebit,
  settled: ReadonlyMap<Hex, OrderRecord>,
  timestamp: number,
): Change | undefined {
  const found = operations
    .map(({ orderHash }) => settled.get(orderHash))
    .find((one) => one !== undefined && one.amount > 0n)
  if (found) {
    const due = proven ?? (found.outcome === 'failed' ? fail_fee : amount)
    return { state: found.amount < due ? 'PARTIAL' : 'SETTLED', due, settled_amount: found.amount }
  }
  // Settlement.sol rejects later settlements. The debit of an unclaimed order is released, not lost.
  const closesAt = Math.max(...operations.map(({ validUntil }) => validUntil)) + settlementWindow
  const isDue = state === 'DUE' || order_state === 'CLAIMED' || order_state === 'ATTESTED'
  return isDue && timestamp > closesAt
    ? { state: 'LOST', due: proven ?? amount, settled_amount: 0n }
    : undefined
}

async function findOpenDebits(
  transaction: Transaction<Database>,
  account: string,
  network: number,
): Promise<OpenDebit[]> {
  const rows = await transaction
    .selectFrom('order_debits as debit')
    .innerJoin('orders', 'orders.order_id', 'debit.order_id')
    .innerJoin('order_operations as operation', 'operation.order_id', 'orders.order_id')
    .select(['debit.order_id', 'debit.amount', 'debit.fail_fee', 'debit.state', 'debit.due'])
    .select(['orders.state as order_state', 'operation.order_hash', 'operation.valid_until'])
    .where('orders.account', '=', account)
    .where('orders.closed_at', 'is', null)
    .where('debit.network', '=', network)
    .where('debit.state', 'in', openDebitStates)
    .execute()
  return [...Map.groupBy(rows, ({ order_id }) => order_id).values()].flatMap((ofOrder) => {
    const [first] = ofOrder
    if (!first) return []
    const operations = ofOrder.map(({ order_hash, valid_until }) => ({
      orderHash: order_hash as Hex, // the column holds hex
      validUntil: valid_until,
    }))
    return [{ ...first, operations }]
  })
}
