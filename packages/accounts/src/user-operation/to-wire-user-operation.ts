import { getAddress } from 'viem'
import type { UserOperation } from './user-operation.ts'
import type { WireUserOperation } from './wire-user-operation.ts'

/**
 * The operation in JSON form. `paymasterAndData` is omitted if it is empty. A caller that supplied its own
 * omits it with `{ ...operation, paymasterAndData: '0x' }`.
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
