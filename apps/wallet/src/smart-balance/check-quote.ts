import type { OrderPlan } from '@lanyard/smart-balance'
import { WalletError } from '../errors/wallet-error.ts'

/** The price that the service quoted, in units of 6 decimals. */
export interface AnsweredQuote {
  readonly amount: bigint
  readonly fee: bigint
  readonly total: bigint
}

/**
 * Compares the service's price with the price that this device computed from the service's terms.
 *
 * @throws WalletError QUOTE_DIFFERS
 */
export function checkQuote(plan: OrderPlan, quote: AnsweredQuote): void {
  const same = quote.amount === plan.amount && quote.fee === plan.fee && quote.total === plan.total
  if (!same) throw new WalletError('QUOTE_DIFFERS')
}
