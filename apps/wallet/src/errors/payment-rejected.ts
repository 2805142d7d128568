import type { PlanProblem } from '@lanyard/smart-balance'
import type { Currency } from '../amounts/currency.ts'

/** Deposits, liquidity or fees do not allow the payment. Nothing was reserved. */
export class PaymentRejected extends Error {
  override readonly name = 'PaymentRefused'
  readonly problem: PlanProblem
  /** The unit of the problem's figures. */
  readonly unit: Currency

  constructor(problem: PlanProblem, unit: Currency) {
    super(problem.problem)
    this.problem = problem
    this.unit = unit
  }
}
