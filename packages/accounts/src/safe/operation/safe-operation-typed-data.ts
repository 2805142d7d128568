import type { TypedDataDefinition } from 'viem'
import { assertUint } from '../../assert-uint.ts'
import { assertFits } from '../../user-operation/assert-fits.ts'
import type { UserOperation } from '../../user-operation/user-operation.ts'
import { type AccountDeployment, safeDeployment } from '../deployment/deployment.ts'

/** `SafeOp` of Safe4337Module 0.3.0 (SAFE_OP_TYPEHASH). */
export const safeOperationTypes = {
  SafeOp: [
    { name: 'safe', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'initCode', type: 'bytes' },
    { name: 'callData', type: 'bytes' },
    { name: 'verificationGasLimit', type: 'uint128' },
    { name: 'callGasLimit', type: 'uint128' },
    { name: 'preVerificationGas', type: 'uint256' },
    { name: 'maxPriorityFeePerGas', type: 'uint128' },
    { name: 'maxFeePerGas', type: 'uint128' },
    { name: 'paymasterAndData', type: 'bytes' },
    { name: 'validAfter', type: 'uint48' },
    { name: 'validUntil', type: 'uint48' },
    { name: 'entryPoint', type: 'address' },
  ],
} as const

/** The inputs of a SafeOp hash other than the operation. */
export interface SafeOperationContext extends Partial<Pick<AccountDeployment, 'module' | 'entryPoint'>> {
  readonly chainId: number
  /** Unix seconds, uint48; the operation is not valid earlier. 0 (default): no bound. */
  readonly validAfter?: number
  /** Unix seconds, uint48; the operation is not valid later. 0 (default): no bound. */
  readonly validUntil?: number
}

/**
 * The EIP-712 message that an owner signs to authorise `operation`; give it to a wallet's `signTypedData`.
 *
 * @throws AccountsError OUT_OF_RANGE for a number that does not fit its field.
 */
export function safeOperationTypedData(
  operation: UserOperation,
  context: SafeOperationContext,
): TypedDataDefinition<typeof safeOperationTypes, 'SafeOp'> {
  const { chainId, validAfter = 0, validUntil = 0 } = context
  const { module = safeDeployment.module, entryPoint = safeDeployment.entryPoint } = context
  assertFits(operation)
  assertUint(BigInt(validAfter), 48, 'validAfter')
  assertUint(BigInt(validUntil), 48, 'validUntil')
  return {
    domain: { chainId, verifyingContract: module },
    types: safeOperationTypes,
    primaryType: 'SafeOp',
    message: {
      safe: operation.sender,
      nonce: operation.nonce,
      initCode: operation.initCode,
      callData: operation.callData,
      verificationGasLimit: operation.verificationGasLimit,
      callGasLimit: operation.callGasLimit,
      preVerificationGas: operation.preVerificationGas,
      maxPriorityFeePerGas: operation.maxPriorityFeePerGas,
      maxFeePerGas: operation.maxFeePerGas,
      paymasterAndData: operation.paymasterAndData,
      validAfter,
      validUntil,
      entryPoint,
    },
  }
}
