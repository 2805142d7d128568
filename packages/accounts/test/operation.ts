import type { AccountOwner } from '../src/index.ts'
import { computeAccountAddress, encodeCalls, encodeInitCode, type UserOperation } from '../src/index.ts'

/**
 * A first operation of `owner`'s account that makes one call. Its limits are far above what these tests need.
 */
export function operationOf(owner: AccountOwner, overrides: Partial<UserOperation> = {}): UserOperation {
  return {
    sender: computeAccountAddress(owner),
    nonce: 0n,
    initCode: encodeInitCode(owner),
    callData: encodeCalls([{ to: '0x00000000000000000000000000000000000000ad', value: 1n, data: '0x' }]),
    callGasLimit: 500_000n,
    verificationGasLimit: 1_000_000n,
    preVerificationGas: 100_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    paymasterAndData: '0x',
    ...overrides,
  }
}
