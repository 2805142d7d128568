import { getAddress } from 'viem'
import type { UserOperation } from './userOperation.ts'
import type { WireUserOperation } from './wireUserOperation.ts'

/**
 * The operation as JSON carries it. `paymasterAndData` is left out when it is empty; a caller that brought its
 * own leaves it out with `{ ...operation, paymasterAndData: '0x' }`.
 */
export function toWireUserOperation(operation: UserOperation): WireUserOperation {
  return {
    sender: getAddress(operation.sender),
    nonce: operation.nonce.toString(),
    initCode: operation.initCode,
    callData: operation.callData,
    callGasLimit: operation.callGasLimit.toString(),
    verificationGasLimit: operation.verificationGasLimit.toString(),
    preVerificationGas: operation.preVerificationGas.toString(),
    maxFeePerGas: operation.maxFeePerGas.toString(),
    maxPriorityFeePerGas: operation.maxPriorityFeePerGas.toString(),
    ...(operation.paymasterAndData === '0x' ? {} : { paymasterAndData: operation.paymasterAndData }),
  }
}
