import type { UserOperation } from '@lanyard/accounts'
import { concat, type Hex, numberToHex } from 'viem'
import type { UserOperation as UnpackedUserOperation } from 'viem/account-abstraction'

/** Converts viem's operation to the ten fields that the account signs. */
export function toOperation(unpacked: UnpackedUserOperation<'0.7'>): UserOperation {
  const { sender, nonce, callData, callGasLimit, verificationGasLimit, preVerificationGas } = unpacked
  const { maxFeePerGas, maxPriorityFeePerGas } = unpacked
  return {
    sender,
    nonce,
    initCode: initCodeOf(unpacked),
    callData,
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    paymasterAndData: paymasterAndDataOf(unpacked),
  }
}

function initCodeOf({ factory, factoryData = '0x' }: UnpackedUserOperation<'0.7'>): Hex {
  return factory === undefined ? '0x' : concat([factory, factoryData])
}

function paymasterAndDataOf(unpacked: UnpackedUserOperation<'0.7'>): Hex {
  const { paymaster, paymasterData = '0x' } = unpacked
  if (paymaster === undefined) return '0x'
  const { paymasterVerificationGasLimit = 0n, paymasterPostOpGasLimit = 0n } = unpacked
  return concat([
    paymaster,
    numberToHex(paymasterVerificationGasLimit, { size: 16 }),
    numberToHex(paymasterPostOpGasLimit, { size: 16 }),
    paymasterData,
  ])
}
