import type { PlanInput, PlanType } from './plan.ts'
import { planOrder } from './plan-order.ts'
import { fundsOf, largestAmount, largestTotal } from './price.ts'

/**
 * The largest amount that an order of this type can request. AMOUNT_OUT: the most that can arrive on the
 * output network. AMOUNT_IN: the most that can be debited, which is everything if the operator can lend it
 * all.
 *
 * @returns 6-decimal units; 0 if nothing can arrive, including when the fees exceed SmartBalance's maximum.
 * @throws SmartBalanceError DUPLICATE if a network occurs twice among the deposits.
 */
export function maximumSpendable(
  input: Omit<PlanInput, 'amount' | 'type' | 'limit'>,
  type: PlanType = 'AMOUNT_OUT',
): bigint {
  const request: PlanInput = { ...input, amount: 0n, type }
  const lendable = input.lendable > 0n ? input.lendable : 0n
  const largest = type === 'AMOUNT_OUT' ? largestAmount : largestTotal
  const amount = largest(fundsOf(request), lendable, input.terms)
  return planOrder({ ...request, amount }).ok ? amount : 0n
}
