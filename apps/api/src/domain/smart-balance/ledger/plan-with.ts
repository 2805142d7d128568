import { type OrderPlan, type OrderSigner, planOrder, signerId } from '@lanyard/smart-balance'
import type { ChainBalance } from '../quotes/chain-balance.ts'
import type { SpendableBalance } from '../quotes/spendable-balance.ts'
import { type AgreedTerms, toTerms } from '../quotes/terms.ts'
import { toPlanError } from './plan-error.ts'

export interface AskedOrder {
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
 * Plans an order with an account's spendable balance.
 *
 * @throws INSUFFICIENT_FUNDS, INSUFFICIENT_LIQUIDITY, LIMIT_BREACHED, AMOUNT_REFUSED
 */
export function planWith(
  { amount, type, limit, gasBudget, signer }: AskedOrder,
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
