import type { PlanInput } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'

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
