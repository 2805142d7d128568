import type { LanyardClient } from '@lanyard/client'
import type { Hex } from 'viem'

/** The status of an operation. */
export interface Operation {
  readonly userOpHash: Hex
  /** Chain id. */
  readonly network: number
  /** `built`: not signed, as far as the service knows. `included` goes back to `submitted` when a reorg removes it. */
  readonly state: 'built' | 'submitting' | 'submitted' | 'included' | 'dropped' | 'expired'
  /** No reorg can change it any more. */
  readonly final: boolean
  /** Once included: false means that its calls were reverted. */
  readonly success?: boolean | undefined
  /** Once included. */
  readonly transactionHash?: Hex | undefined
  /** Why it was reverted or dropped, or is not included yet. */
  readonly reason?: string | undefined
}

/** Included, or never to be: until it is final, a dropped operation could still be included. */
export const hasEnded = ({ state, final }: Operation): boolean =>
  state === 'included' || (final && (state === 'dropped' || state === 'expired'))

/** @throws LanyardApiError UNKNOWN_OPERATION; what fetch throws */
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
    transactionHash: status.txnHash as Hex | undefined, // hex by the service's schema, which the generated type loses
    reason: status.reason?.message,
  }
}
