import type { PlanProblem } from '@lanyard/smart-balance'
import type { Currency } from '../amounts/currency.ts'

/** Deposits, liquidity or fees do not allow a payment; nothing was reserved. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
  readonly problem: PlanProblem
  /** What the figures of the problem count. */
  readonly unit: Currency

  constructor(problem: PlanProblem, unit: Currency) {
    super(problem.problem)
    this.problem = problem
    this.unit = unit
  }
}
