import type { PlanProblem } from '@lanyard/smart-balance'
import type { Currency } from '../amounts/currency.ts'
import { formatAmount } from '../amounts/format-amount.ts'

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
            title: 'Your combined balance does not cover this and its fee.',
            advice: `You can send up to ${money(problem.largest)}. For more, deposit first.`,
            instead: problem.largest,
          }
        : {
            title: 'Your combined balance does not cover the fee of a payment.',
            advice: 'Deposit first. A new deposit counts once it is final on its network.',
          }
    case 'INSUFFICIENT_LIQUIDITY':
      return problem.largest > 0n
        ? {
            title: `The operator can advance only ${money(problem.lendable)} on this network now.`,
            advice: `You can send ${money(problem.largest)} here. For more, choose another network or try again later.`,
            instead: problem.largest,
          }
        : {
            title: 'The operator can advance nothing on this network now.',
            advice: 'Choose another network, or try again later. Your deposits are not affected.',
          }
    case 'LIMIT':
      return { title: 'The price has changed.', advice: 'Review the payment again.' }
    case 'FEE_TOO_HIGH':
      return {
        title: `The fee would be ${money(problem.fee)}, more than the contract allows.`,
        advice: 'Network fees are unusually high. Wait until they fall, or choose another network.',
      }
    case 'TOO_SMALL':
      return {
        title: 'The fee would take all of it.',
        advice: `At least ${money(problem.smallest)} is needed.`,
        instead: problem.smallest,
      }
  }
}
