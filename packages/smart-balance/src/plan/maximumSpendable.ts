import { fundsOf } from './funds.ts'
import type { PlanInput, PlanType } from './plan.ts'
import { planOrder } from './planOrder.ts'
import { largestAmount, largestTotal } from './price.ts'

/**
 * The largest amount that an order of a type can ask for. AMOUNT_OUT: what can arrive on the output network. AMOUNT_IN:
 * what can be debited, which leaves nothing where the operator can lend it all.
 *
 * @returns 6-decimals units; 0 when nothing can arrive, also when the fees are above what SmartBalance takes.
 * @throws SmartBalanceError DUPLICATE for a network that occurs twice among the deposits.
 */
export function maximumSpendable(
  input: Omit<PlanInput, 'amount' | 'type' | 'limit'>,
  type: PlanType = 'AMOUNT_OUT',
): bigint {
  const asked: PlanInput = { ...input, amount: 0n, type }
  const lendable = input.lendable > 0n ? input.lendable : 0n
  const largest = type === 'AMOUNT_OUT' ? largestAmount : largestTotal
  const amount = largest(fundsOf(asked), lendable, input.terms)
  return planOrder({ ...asked, amount }).ok ? amount : 0n
}
