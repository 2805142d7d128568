import type { OrderPlan } from '@lanyard/smart-balance'
import { BuildVerificationError } from '../verification-error.ts'
import type { Quote, SpendRequest } from './quote.ts'
import { readDecimal } from './read-decimal.ts'
import type { SolutionAmounts } from './read-solution.ts'

/** The agreed price to compare with. */
export interface AgreedPrice {
  readonly request: Pick<SpendRequest, 'amount' | 'type' | 'limit'>
  readonly quote?: Quote | undefined
  readonly plan?: OrderPlan | undefined
}

/**
 * Verifies that a solution delivers the requested amount at the agreed price.
 *
 * @throws BuildVerificationError naming the field
 */
export function verifyPrice(
  amounts: SolutionAmounts,
  { request, quote, plan }: AgreedPrice,
  at: string,
): void {
  verifyRequest(amounts, request, at)
  if (quote !== undefined)
    for (const member of ['amount', 'fee', 'total'] as const)
      requireSame(amounts[member], readDecimal(quote[member], `quote.${member}`), `${at}.${member}`, 'quoted')
  if (plan !== undefined) verifyPlan(amounts, plan, at)
}

function verifyRequest(
  { amount, total }: SolutionAmounts,
  { amount: requested, type = 'AMOUNT_OUT', limit }: AgreedPrice['request'],
  at: string,
): void {
  const isOut = type === 'AMOUNT_OUT'
  requireSame(isOut ? amount : total, BigInt(requested), `${at}.${isOut ? 'amount' : 'total'}`, 'asked for')
  if (limit === undefined) return
  if (isOut && total > BigInt(limit))
    throw new BuildVerificationError(`${at}.total`, `${total} is above the limit of ${limit}`)
  if (!isOut && amount < BigInt(limit))
    throw new BuildVerificationError(`${at}.amount`, `${amount} is below the limit of ${limit}`)
}

function verifyPlan(amounts: SolutionAmounts, plan: OrderPlan, at: string): void {
  for (const member of ['amount', 'fee', 'total', 'claimAmount'] as const)
    requireSame(amounts[member], plan[member], `${at}.${member}`, 'planned')
  const same =
    amounts.debits.length === plan.debits.length &&
    amounts.debits.every(({ network, amount }, index) => {
      const debit = plan.debits[index]
      return debit?.network === network && debit.amount === amount
    })
  if (!same) throw new BuildVerificationError(`${at}.debits`, 'other deposits are debited than planned')
}

function requireSame(answered: bigint, agreed: bigint, field: string, how: string): void {
  if (answered !== agreed) throw new BuildVerificationError(field, `${answered}, but ${agreed} was ${how}`)
}
