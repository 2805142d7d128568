import { unpackPaymasterAndData } from './unpackUserOperation.ts'
import type { UserOperation } from './userOperation.ts'

/**
 * The most that the operation can cost, in wei: EntryPoint v0.7's `_getRequiredPrefund`, all gas limits
 * (the paymaster's too) and preVerificationGas, times maxFeePerGas.
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
