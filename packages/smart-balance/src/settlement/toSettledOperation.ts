import type { SignedUserOperation } from '@lanyard/accounts'
import type { Hex } from 'viem'
import { type PackedOperation, packOperation } from '../order/packOperation.ts'

/** `SignedOperation` of Settlement.sol. */
export interface SettledOperation {
  readonly operation: PackedOperation
  readonly paymasterAndData: Hex
  readonly signature: Hex
}

/**
 * An operation as its account signed it, in the form in which a source network is shown it.
 *
 * @throws SmartBalanceError OUT_OF_RANGE for a number that its field cannot hold.
 */
export function toSettledOperation(operation: SignedUserOperation): SettledOperation {
  return {
    operation: packOperation(operation),
    paymasterAndData: operation.paymasterAndData,
    signature: operation.signature,
  }
}
