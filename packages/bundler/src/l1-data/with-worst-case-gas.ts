import type { SignedUserOperation } from '@lanyard/accounts'
import { concat, type Hex, keccak256, numberToHex, size, slice } from 'viem'

/** paymaster ‖ uint128 verification gas limit ‖ uint128 postOp gas limit */
const paymasterHead = 52

/** Bytes that no compression makes fewer, always the same ones. */
function noise(length: number): Hex {
  const words = Array.from({ length: Math.ceil(length / 32) }, (_, index) => keccak256(numberToHex(index)))
  return length === 0 ? '0x' : slice(concat(words), 0, length)
}

/**
 * An operation that is still estimated, as dear to put on L1 as it can become: rollups charge for what is left after
 * compression, and the stub of a signature compresses better than a signature. Only its length is known, as that of a
 * paymaster's data; of gas not even that, and 4 bytes hold whatever is ever sent.
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
