import {
  type OrderPlan,
  type PlanInput,
  type PlanProblem,
  type PlanType,
  planOrder,
} from '@lanyard/smart-balance'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'

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

/** The conditions of a payment on a network, besides the request itself. */
export interface PaymentTerms extends Omit<PlanInput, 'amount' | 'type' | 'limit'> {
  /** The price is guaranteed until then. */
  readonly expiresAt: string
}

/** @throws errors of the service */
export async function fetchTerms(
  account: Address,
  outputNetwork: number,
  signal: AbortSignal,
): Promise<PaymentTerms> {
  const answer = await trpc.smartBalance.terms.query({ walletAddress: account, outputNetwork }, { signal })
  return {
    outputNetwork,
    expiresAt: answer.expiresAt,
    lendable: BigInt(answer.lendable),
    deposits: answer.deposits.map(({ network, available }) => ({ network, available: BigInt(available) })),
    terms: {
      basisPoints: answer.basisPoints,
      operationFee: BigInt(answer.operationFee),
      settlementFees: Object.fromEntries(
        Object.entries(answer.settlementFees).map(([network, fee]) => [network, BigInt(fee)]),
      ),
    },
  }
}
