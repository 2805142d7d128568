import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import type { Hex } from 'viem'
import { describeReason } from '../errors/describe-error.ts'

/** How an operation ended. */
export interface OperationOutcome {
  readonly kind: 'included' | 'reverted' | 'dropped'
  readonly txnHash?: Hex | undefined
  /** Why it reverted or was dropped, if known. */
  readonly reason?: string | undefined
}

type OperationStatus = Pick<
  EndpointOutput<typeof endpoints.smartAccount.status>,
  'state' | 'success' | 'txnHash' | 'reason'
>

/** The outcome of an operation. Undefined while it is pending. */
export function outcomeOf({
  state,
  success,
  txnHash,
  reason,
}: OperationStatus): OperationOutcome | undefined {
  if (state === 'included')
    return {
      kind: success === false ? 'reverted' : 'included',
      txnHash: txnHash,
      reason: reason && describeReason(reason),
    }
  if (state === 'dropped' || state === 'expired')
    return { kind: 'dropped', reason: reason && describeReason(reason) }
  return undefined
}
