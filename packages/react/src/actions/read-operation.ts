import type { LanyardClient } from '@lanyard/client'
import type { Hex } from 'viem'

/** The status of an operation. */
export interface Operation {
  readonly userOpHash: Hex
  /** Chain id. */
  readonly network: number
  /**
   * `built`: unsigned, as far as the service knows. `included` becomes `submitted` again if a reorg removes
   * the operation.
   */
  readonly state: 'built' | 'submitting' | 'submitted' | 'included' | 'dropped' | 'expired'
  /** True once no reorg can change it. */
  readonly final: boolean
  /** Present once included. False means that its calls reverted. */
  readonly success?: boolean | undefined
  /** Present once included. */
  readonly transactionHash?: Hex | undefined
  /** Why it reverted, was dropped, or is not included yet. */
  readonly reason?: string | undefined
}

/** Whether the operation has ended. A dropped operation can still be included until it is final. */
export const hasEnded = ({ state, final }: Operation): boolean =>
  state === 'included' || (final && (state === 'dropped' || state === 'expired'))

/** @throws LanyardApiError UNKNOWN_OPERATION; errors of fetch */
export async function readOperation(
  client: LanyardClient,
  userOpHash: Hex,
  signal?: AbortSignal,
): Promise<Operation> {
  const status = await client.smartAccount.status({ userOpHash }, signal ? { signal } : {})
  return {
    userOpHash,
    network: Number(status.network),
    state: status.state,
    final: status.final,
    success: status.success,
    // hex by the service's schema; the generated type is only string
    transactionHash: status.txnHash as Hex | undefined,
    reason: status.reason?.message,
  }
}
