import type { Debit } from '../order/order.ts'
import type { PlannedDebit } from './plan.ts'

/** Converts a plan's debits to an order's. */
export function toDebits(planned: readonly PlannedDebit[]): Debit[] {
  return planned.map(({ network, amount, failFee }) => ({ chainId: network, amount, failFee }))
}
