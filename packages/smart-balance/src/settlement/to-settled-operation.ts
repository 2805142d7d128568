import type { SignedUserOperation } from '@lanyard/accounts'
import type { Hex } from 'viem'
import { type PackedOperation, packOperation } from '../order/pack-operation.ts'

/** `SignedOperation` of Settlement.sol. */
export interface SettledOperation {
  readonly operation: PackedOperation
  readonly paymasterAndData: Hex
  readonly signature: Hex
}

/**
 * A signed operation in the form that a source network's settlement takes.
 *
 * @throws SmartBalanceError OUT_OF_RANGE for a number that does not fit its field.
 */
export function toSettledOperation(operation: SignedUserOperation): SettledOperation {
  return {
    operation: packOperation(operation),
    paymasterAndData: operation.paymasterAndData,
    signature: operation.signature,
  }
}
