import { type OrderPlan, type PlanProblem, type PlanType, planOrder } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { checkQuote } from './check-quote.ts'
import { fetchTerms } from './terms.ts'

/** A requested payment from the combined balance. */
export interface PaymentRequest {
  readonly chainId: number
  /** Units of 6 decimals. */
  readonly amount: bigint
  /** Whether `amount` is the amount that arrives or the amount debited. */
  readonly type: PlanType
}

/** A price that this device has recomputed, or why there is none. */
export type Quote =
  | {
      readonly ok: true
      readonly plan: OrderPlan
      /** The price is guaranteed until then. */
      readonly expiresAt: string
    }
  | ({ readonly ok: false } & PlanProblem)

/**
 * Requests a price, and recomputes it from the components that the service reports.
 *
 * @throws WalletError QUOTE_DIFFERS; errors of the service
 */
export async function fetchQuote(
  account: Address,
  request: PaymentRequest,
  signal: AbortSignal,
): Promise<Quote> {
  try {
    return await fetchQuoteOnce(account, request, signal)
  } catch (error) {
    // Retries once, since a deposit can become final between the two answers.
    if (error instanceof WalletError) return fetchQuoteOnce(account, request, signal)
    throw error
  }
}

async function fetchQuoteOnce(
  account: Address,
  request: PaymentRequest,
  signal: AbortSignal,
): Promise<Quote> {
  const { chainId, amount, type } = request
  const { expiresAt, ...terms } = await fetchTerms(account, chainId, signal)
  const planned = planOrder({ ...terms, amount, type })
  if (!planned.ok) return planned
  const { quote } = await trpc.smartBalance.getQuote.mutate(
    { walletAddress: account, outputNetwork: chainId, amount: amount.toString(), type },
    { signal },
  )
  checkQuote(planned.plan, {
    amount: BigInt(quote.amount),
    fee: BigInt(quote.fee),
    total: BigInt(quote.total),
  })
  return { ok: true, plan: planned.plan, expiresAt }
}
