import { type OrderPlan, type PlanProblem, type PlanType, planOrder } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { checkQuote } from './check-quote.ts'
import { fetchTerms } from './terms.ts'

/** What a payment from the combined balance is asked to be. */
export interface PaymentRequest {
  readonly chainId: number
  /** 6-decimals units. */
  readonly amount: bigint
  /** Whether `amount` has to arrive, or is what is debited. */
  readonly type: PlanType
}

/** A price that this device has recomputed, or why there is none. */
export type Quote =
  | {
      readonly ok: true
      readonly plan: OrderPlan
      /** Until then it costs exactly this. */
      readonly expiresAt: string
    }
  | ({ readonly ok: false } & PlanProblem)

/**
 * Asks for a price, and recomputes it from what the service says that it consists of.
 *
 * @throws WalletError QUOTE_DIFFERS; what the service throws.
 */
export async function fetchQuote(
  account: Address,
  request: PaymentRequest,
  signal: AbortSignal,
): Promise<Quote> {
  try {
    return await fetchQuoteOnce(account, request, signal)
  } catch (error) {
    // A deposit can become final between the two answers, once.
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
