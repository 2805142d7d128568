import { encodeAbiParameters, hexToBytes, parseAbiParameters } from 'viem'
import { entryPoint08Address } from 'viem/account-abstraction'
import { describe, expect, test } from 'vitest'
import { delegationInitCode } from '../eip7702/deployment.ts'
import {
  calculatePreVerificationGas,
  type PreVerificationGasParameters,
} from './calculate-pre-verification-gas.ts'
import type { SignedUserOperation } from './user-operation.ts'

const operation: SignedUserOperation = {
  sender: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  nonce: 1n,
  initCode: '0x',
  callData: `0x${'11'.repeat(33)}`,
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  paymasterAndData: '0x',
  signature: `0x${'22'.repeat(65)}`,
}

/**
 * EIP-7623: a zero byte is one token, any other byte four. Gas and fees are unknown, so they count at their
 * maximum.
 */
function tokensOf({ sender, nonce, initCode, callData, paymasterAndData, signature }: SignedUserOperation) {
  const gas = 'ff'.repeat(4).padStart(32, '0')
  const fee = 'ff'.repeat(8).padStart(32, '0')
  const encoded = encodeAbiParameters(
    parseAbiParameters('address, uint256, bytes, bytes, bytes32, uint256, bytes32, bytes, bytes'),
    [
      sender,
      nonce,
      initCode,
      callData,
      `0x${gas}${gas}`,
      0xffffffffn,
      `0x${fee}${fee}`,
      paymasterAndData,
      signature,
    ],
  )
  return hexToBytes(encoded).reduce((sum, byte) => sum + (byte === 0 ? 1n : 4n), 0n)
}

const none: PreVerificationGasParameters = {
  transactionGas: 0n,
  bundleOverhead: 0n,
  operationOverhead: 0n,
  milliGasPerWord: 0n,
  gasPerToken: 0n,
  floorGasPerToken: 0n,
  authorizationGas: 0n,
  bundleSize: 1n,
}
const gasOf = (
  parameters: Partial<PreVerificationGasParameters>,
  changed: Partial<SignedUserOperation> = {},
) => calculatePreVerificationGas({ ...operation, ...changed }, { parameters: { ...none, ...parameters } })

describe('calculatePreVerificationGas', () => {
  test('default: Ethereum', () => {
    // 33 bytes are two words, at 9.5 gas each.
    expect(calculatePreVerificationGas(operation)).toBe(
      21_000n + 9_830n + 9_760n + 19n + 4n * tokensOf(operation),
    )
  })

  test('args: each parameter', () => {
    const tokens = tokensOf(operation)
    expect(gasOf({ transactionGas: 5n })).toBe(5n)
    expect(gasOf({ bundleOverhead: 5n })).toBe(5n)
    expect(gasOf({ operationOverhead: 5n })).toBe(5n)
    expect(gasOf({ gasPerToken: 5n })).toBe(5n * tokens)
    expect(gasOf({ floorGasPerToken: 5n })).toBe(5n * tokens)
    // Two words of 1.001 gas each. Shares are rounded up so that the relayer never pays the difference.
    expect(gasOf({ milliGasPerWord: 1_001n })).toBe(3n)
    expect(gasOf({ transactionGas: 5n, bundleOverhead: 5n, bundleSize: 3n })).toBe(4n)
  })

  test('behavior: gas that is certain to be paid reduces the floor', () => {
    const tokens = tokensOf(operation)
    const parameters = { ...none, transactionGas: 100n, gasPerToken: 4n, floorGasPerToken: 10n }
    const standard = 100n + 4n * tokens
    const floor = 100n + 10n * tokens
    const gas = (changed: Partial<SignedUserOperation>, verificationGasUsed?: bigint) =>
      calculatePreVerificationGas(
        { ...operation, ...changed },
        { parameters, ...(verificationGasUsed !== undefined && { verificationGasUsed }) },
      )
    expect(gas({})).toBe(floor)
    expect(gas({}, 7n)).toBe(floor - 7n)
    // EntryPoint's penalty: a tenth of the call gas.
    expect(gas({ callGasLimit: 1_000n })).toBe(floor - 100n)
    expect(gas({ callGasLimit: 1_000n }, 7n)).toBe(floor - 107n)
    expect(gas({}, floor)).toBe(standard)
    // The bundle shares the transaction's cost.
    expect(calculatePreVerificationGas(operation, { parameters: { ...parameters, bundleSize: 2n } })).toBe(
      floor - 50n,
    )
  })

  test('behavior: the initCode of EIP-7702 adds the cost of an authorisation', () => {
    const delegating = { initCode: delegationInitCode, entryPoint: entryPoint08Address }
    expect(gasOf({ authorizationGas: 5n }, delegating)).toBe(5n)
    expect(gasOf({ authorizationGas: 5n }, { entryPoint: entryPoint08Address })).toBe(0n)
  })

  test.each([
    [40_000n, 0n],
    [44_000n, 4_000n],
    [100_000n, 10_000n],
  ])('behavior: EntryPoint v0.8 forgives unused gas: a limit of %d pays %d', (callGasLimit, paid) => {
    const changed = { callGasLimit, entryPoint: entryPoint08Address }
    const parameters = { floorGasPerToken: 1_000n }
    expect(gasOf(parameters, changed)).toBe(gasOf(parameters) - paid)
  })

  test("behavior: the penalty includes a tenth of postOp's gas", () => {
    const header = `0x${'aa'.repeat(20)}${'7'.padStart(32, '0')}` as const
    const parameters = { ...none, floorGasPerToken: 10n }
    const changed = {
      paymasterAndData: `${header}${(500).toString(16).padStart(32, '0')}`,
      callGasLimit: 1_000n,
    } as const
    expect(gasOf(parameters, changed)).toBe(10n * tokensOf({ ...operation, ...changed }) - 150n)
  })
})
