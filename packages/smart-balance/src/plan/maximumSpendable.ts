import { fundsOf } from './funds.ts'
import type { PlanInput } from './plan.ts'
import { planOrder } from './planOrder.ts'
import { largestAmount } from './price.ts'

/**
 * The largest amount that can arrive on the output network: what an AMOUNT_OUT takes at most.
 *
 * @returns 6-decimals units; 0 when nothing can arrive, also when the fees are above what SmartBalance takes.
 * @throws SmartBalanceError DUPLICATE for a network that occurs twice among the deposits.
 */
export function maximumSpendable(input: Omit<PlanInput, 'amount' | 'type' | 'limit'>): bigint {
  const asked: PlanInput = { ...input, amount: 0n, type: 'AMOUNT_OUT' }
  const lendable = input.lendable > 0n ? input.lendable : 0n
  const amount = largestAmount(fundsOf(asked), lendable, input.terms)
  return planOrder({ ...asked, amount }).ok ? amount : 0n
}
