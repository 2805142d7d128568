import type { Debit } from '../order/order.ts'
import type { PlannedDebit } from './plan.ts'

/** A plan's debits as an order has them. */
export function toDebits(planned: readonly PlannedDebit[]): Debit[] {
  return planned.map(({ network, amount, failFee }) => ({ chainId: network, amount, failFee }))
}
