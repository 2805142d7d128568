import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeFunctionData, type Hex } from 'viem'
import { type Outcome, outcomes } from '../attestation/outcome.ts'
import type { SettledOperation } from './to-settled-operation.ts'

/** `Settling` of Settlement.sol: one order to settle. */
export interface Settling {
  /** The output network. */
  readonly chainId: number
  readonly signed: SettledOperation
  readonly outcome: Outcome
  /** The result of `packAttestations`. */
  readonly proof: Hex
}

/**
 * The call data of `settleBatch`, for the settler's own account. The contract skips orders with nothing to
 * settle.
 */
export function encodeSettleBatch(settlings: readonly Settling[]): Hex {
  return encodeFunctionData({
    abi: smartBalanceAbi,
    functionName: 'settleBatch',
    args: [settlings.map(toArgument)],
  })
}

function toArgument({ chainId, signed, outcome, proof }: Settling) {
  return { chainId: BigInt(chainId), signed, outcome: outcomes[outcome], proof }
}
