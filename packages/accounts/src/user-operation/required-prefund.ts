import { unpackPaymasterAndData } from './unpack-user-operation.ts'
import type { UserOperation } from './user-operation.ts'

/**
 * The maximum cost of the operation in wei (EntryPoint v0.7's `_getRequiredPrefund`): all gas limits,
 * including the paymaster's, and preVerificationGas, times maxFeePerGas.
 *
 * @throws AccountsError MALFORMED for a `paymasterAndData` shorter than its header.
 */
export function requiredPrefund(operation: UserOperation): bigint {
  const paymaster = unpackPaymasterAndData(operation.paymasterAndData)
  const gas =
    operation.preVerificationGas +
    operation.verificationGasLimit +
    operation.callGasLimit +
    (paymaster?.paymasterVerificationGasLimit ?? 0n) +
    (paymaster?.paymasterPostOpGasLimit ?? 0n)
  return gas * operation.maxFeePerGas
}
