import { LanyardError } from '@lanyard/contracts'
import {
  type OrderPlan,
  type OrderSigner,
  type PlanProblem,
  planOrder,
  signerId,
} from '@lanyard/smart-balance'
import type { ChainBalance } from './chain-balance.ts'
import type { SpendableBalance } from './spendable-balance.ts'
import { type AgreedTerms, toTerms } from './terms.ts'

export interface OrderRequest {
  /** 6 decimals: the amount that arrives (AMOUNT_OUT) or that is debited (AMOUNT_IN). */
  readonly amount: bigint
  readonly type: 'AMOUNT_OUT' | 'AMOUNT_IN'
  /** 6 decimals, a limit for the other side. */
  readonly limit?: bigint | undefined
  /** wei; absent: as in the terms. */
  readonly gasBudget?: bigint | undefined
  /** The owner whose signature the order is for. */
  readonly signer: OrderSigner
}

/**
 * Rejects an order for which nothing needs to be read: whatever the state, nothing would arrive.
 *
 * @throws AMOUNT_REFUSED
 */
export function requireSomeAmount({ amount, type }: Pick<OrderRequest, 'amount' | 'type'>): void {
  if (type === 'AMOUNT_OUT' && amount <= 0n) {
    throw toPlanError({ problem: 'TOO_SMALL', smallest: 1n }, { unavailable: [] })
  }
}

/**
 * Plans an order with an account's spendable balance.
 *
 * @throws INSUFFICIENT_FUNDS, INSUFFICIENT_LIQUIDITY, LIMIT_BREACHED, AMOUNT_REFUSED
 */
export function planWith(
  { amount, type, limit, gasBudget, signer }: OrderRequest,
  balance: SpendableBalance,
  terms: AgreedTerms,
  { unavailable, liquidity }: Pick<ChainBalance, 'unavailable' | 'liquidity'>,
): OrderPlan {
  const result = planOrder({
    outputNetwork: balance.outputNetwork,
    amount,
    type,
    limit,
    deposits: balance.depositsOf(signerId(signer)),
    lendable: balance.lendable,
    terms: toTerms(terms, gasBudget),
  })
  if (result.ok) return result.plan
  throw toPlanError(result, { unavailable, cappedUntil: liquidity.cappedUntil })
}

interface ProblemContext {
  /** Networks that did not answer; their deposits are left out. */
  readonly unavailable: readonly number[]
  /** Unix seconds: when the hourly cap allows lending more than now. Absent if the cap is not the limit. */
  readonly cappedUntil?: number | undefined
}

const toTime = (seconds: number) => new Date(seconds * 1000).toISOString()

const capText = (until: number | undefined) =>
  until === undefined ? '' : `, because its hourly cap is reached (the next hour starts at ${toTime(until)})`

/** Creates the error when no order can be planned. All amounts have 6 decimals. */
export function toPlanError(
  problem: PlanProblem,
  { unavailable, cappedUntil }: ProblemContext,
): LanyardError {
  const missing = unavailable.length > 0 ? { unavailable: [...unavailable] } : {}
  switch (problem.problem) {
    case 'INSUFFICIENT_FUNDS':
      return new LanyardError('INSUFFICIENT_FUNDS', {
        message: `The combined balance is too low for this. The largest amount now: ${problem.largest}.${
          unavailable.length > 0 ? ` Networks that do not answer: ${unavailable.join(', ')}.` : ''
        }`,
        details: { largest: String(problem.largest), ...missing },
      })
    case 'INSUFFICIENT_LIQUIDITY':
      return new LanyardError('INSUFFICIENT_LIQUIDITY', {
        message: `The operator can lend ${problem.lendable} on this network now${capText(cappedUntil)}. The largest amount: ${problem.largest}.`,
        details: {
          lendable: String(problem.lendable),
          largest: String(problem.largest),
          ...(cappedUntil !== undefined && { resetsAt: toTime(cappedUntil) }),
        },
      })
    case 'LIMIT':
      return new LanyardError('LIMIT_BREACHED', {
        message: `The fee exceeds the limit. The nearest limit that would pass: ${problem.passes}.`,
        details: { limit: String(problem.passes) },
      })
    case 'FEE_TOO_HIGH':
      return new LanyardError('AMOUNT_REFUSED', {
        message: `Gas is too expensive: the fee would be ${problem.fee}, and debits of ${problem.debits} exceed the ${problem.highest} that SmartBalance accepts for this amount.`,
        details: { fee: String(problem.fee), highest: String(problem.highest) },
      })
    case 'TOO_SMALL':
      return new LanyardError('AMOUNT_REFUSED', {
        message: `The amount is too small. The smallest amount: ${problem.smallest}.`,
        details: { smallest: String(problem.smallest) },
      })
  }
}
