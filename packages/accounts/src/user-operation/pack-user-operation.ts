import { type PackedUserOperation, toPackedUserOperation } from 'viem/account-abstraction'
import { unpackUserOperation } from './unpack-user-operation.ts'
import type { SignedUserOperation, UserOperation } from './user-operation.ts'

/**
 * The struct that `EntryPoint.handleOps` takes: accountGasLimits = uint128 verificationGasLimit ‖ uint128
 * callGasLimit, gasFees = uint128 maxPriorityFeePerGas ‖ uint128 maxFeePerGas.
 *
 * @throws AccountsError as {@link unpackUserOperation}.
 */
export function packUserOperation(operation: UserOperation | SignedUserOperation): PackedUserOperation {
  return toPackedUserOperation(unpackUserOperation(operation))
}
