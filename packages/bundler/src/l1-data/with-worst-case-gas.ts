import type { SignedUserOperation } from '@lanyard/accounts'
import { concat, type Hex, keccak256, numberToHex, size, slice } from 'viem'

/** paymaster ‖ uint128 verification gas limit ‖ uint128 postOp gas limit */
const paymasterHead = 52

/** Incompressible bytes, always the same. */
function noise(length: number): Hex {
  const words = Array.from({ length: Math.ceil(length / 32) }, (_, index) => keccak256(numberToHex(index)))
  return length === 0 ? '0x' : slice(concat(words), 0, length)
}

/**
 * An operation during estimation, at the highest cost that it can have on L1. Rollups charge for the
 * compressed size, and a stub signature compresses better than a real one. Only the lengths of the signature
 * and of the paymaster data are known. Gas is entirely unknown, but 4 bytes hold every realistic value.
 */
export function withWorstCaseGas(operation: SignedUserOperation): SignedUserOperation {
  const { paymasterAndData, signature } = operation
  return {
    ...operation,
    callGasLimit: 0xa7_31_5c_e9n,
    verificationGasLimit: 0x5e_c4_92_1bn,
    preVerificationGas: 0xd3_68_0f_a5n,
    paymasterAndData:
      size(paymasterAndData) <= paymasterHead
        ? paymasterAndData
        : concat([slice(paymasterAndData, 0, paymasterHead), noise(size(paymasterAndData) - paymasterHead)]),
    signature: noise(size(signature)),
  }
}
