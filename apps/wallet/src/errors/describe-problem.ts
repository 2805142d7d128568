import type { Currency } from '@lanyard/calls'
import type { PlanProblem } from '@lanyard/smart-balance'
import { formatAmount } from '@lanyard/ui'
import { t } from '../i18n/t.ts'

/** Why a payment is not possible, and what to do. */
export interface ProblemText {
  readonly title: string
  readonly advice: string
  /** An amount that would work, in units of 6 decimals. */
  readonly instead?: bigint
}

/** Describes a planner problem for the person. */
export function describeProblem(problem: PlanProblem, unit: Currency): ProblemText {
  const money = (amount: bigint) => `${formatAmount(amount, unit.decimals)} ${unit.symbol}`
  switch (problem.problem) {
    case 'INSUFFICIENT_FUNDS':
      return problem.largest > 0n
        ? {
            title: t('Your combined balance does not cover this and its fee.'),
            advice: t('You can send up to {amount}. For more, deposit first.', {
              amount: money(problem.largest),
            }),
            instead: problem.largest,
          }
        : {
            title: t('Your combined balance does not cover the fee of a payment.'),
            advice: t('Deposit first. A new deposit counts once it is final on its network.'),
          }
    case 'INSUFFICIENT_LIQUIDITY':
      return problem.largest > 0n
        ? {
            title: t('The operator can advance only {amount} on this network now.', {
              amount: money(problem.lendable),
            }),
            advice: t('You can send {amount} here. For more, choose another network or try again later.', {
              amount: money(problem.largest),
            }),
            instead: problem.largest,
          }
        : {
            title: t('The operator can advance nothing on this network now.'),
            advice: t('Choose another network, or try again later. Your deposits are not affected.'),
          }
    case 'LIMIT':
      return { title: t('The price has changed.'), advice: t('Review the payment again.') }
    case 'FEE_TOO_HIGH':
      return {
        title: t('The fee would be {amount}, more than the contract allows.', { amount: money(problem.fee) }),
        advice: t('Network fees are unusually high. Wait until they fall, or choose another network.'),
      }
    case 'TOO_SMALL':
      return {
        title: t('The fee would take all of it.'),
        advice: t('At least {amount} is needed.', { amount: money(problem.smallest) }),
        instead: problem.smallest,
      }
  }
}
