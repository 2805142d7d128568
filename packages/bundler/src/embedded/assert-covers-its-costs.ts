import type { SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { encodeHandleOps } from '../entry-point/handle-ops.ts'
import { requiredPreVerificationGas } from '../pre-verification-gas.ts'
import {
  bundleGasLimit,
  fitsIntoTransaction,
  maxTransactionData,
  maxTransactionGas,
} from './bundle-limits.ts'

/**
 * What a relayer asks of an operation besides that it validates: that it fits into a transaction and pays for it.
 *
 * @throws FEE_TOO_LOW with what is needed; OPERATION_REFUSED when it is too large.
 */
export async function assertCoversItsCosts(network: Network, operation: SignedUserOperation): Promise<void> {
  if (!fitsIntoTransaction([operation], encodeHandleOps([operation], operation.sender))) {
    throw new LanyardError('OPERATION_REFUSED', {
      message: `The operation needs ${bundleGasLimit([operation])} gas of at most ${maxTransactionGas}, or more than ${maxTransactionData} bytes. Split it up.`,
    })
  }
  const preVerificationGas = requiredPreVerificationGas(operation)
  if (operation.preVerificationGas < preVerificationGas) {
    throw new LanyardError('FEE_TOO_LOW', {
      message: `preVerificationGas is ${operation.preVerificationGas}; this operation needs ${preVerificationGas}. Build it again.`,
      details: { requiredPreVerificationGas: preVerificationGas.toString() },
    })
  }
  const { baseFeePerGas } = await network.fees()
  if (operation.maxFeePerGas < baseFeePerGas) {
    throw new LanyardError('FEE_TOO_LOW', {
      message: `maxFeePerGas is ${operation.maxFeePerGas} wei, the base fee is ${baseFeePerGas}. Build the operation again.`,
      details: { baseFeePerGas: baseFeePerGas.toString() },
    })
  }
}
