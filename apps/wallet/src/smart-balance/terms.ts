import type { PlanInput } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'

/** What a payment on a network depends on, besides what is asked for. */
export interface PaymentTerms extends Omit<PlanInput, 'amount' | 'type' | 'limit'> {
  /** Until then it costs exactly this. */
  readonly expiresAt: string
}

/** @throws what the service throws. */
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
