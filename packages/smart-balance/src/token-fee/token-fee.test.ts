import { requiredPrefund, type UserOperation } from '@lanyard/accounts'
import { randomAddress } from '@lanyard/testing'
import { decodeFunctionData, erc20Abi, type Hex, size } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  decodeTokenFee,
  encodeTokenFee,
  encodeTokenFeeApproval,
  getTokenFeeHash,
  maximumTokenFee,
  type TokenFee,
} from './token-fee.ts'

const fee: TokenFee = {
  paymaster: randomAddress(),
  paymasterVerificationGasLimit: 30_000n,
  paymasterPostOpGasLimit: 50_000n,
  token: randomAddress(),
  rate: 2_625_000_000n,
  extraGas: 21_000,
  validUntil: 1_900_000_000,
  operatorSignature: `0x${'5a'.repeat(65)}`,
}
const operation: UserOperation = {
  sender: randomAddress(),
  nonce: 1n,
  initCode: '0x',
  callData: '0x1234',
  callGasLimit: 100_000n,
  verificationGasLimit: 80_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
  paymasterAndData: encodeTokenFee(fee),
}

describe('encodeTokenFee', () => {
  test('default: decodes to the same fee', () => {
    expect(size(encodeTokenFee(fee))).toBe(163)
    expect(decodeTokenFee(encodeTokenFee(fee))).toEqual({ ok: true, fee })
  })

  test('error: other lengths, numbers that do not fit', () => {
    expect(decodeTokenFee(`${encodeTokenFee(fee)}00`)).toMatchObject({ ok: false, code: 'MALFORMED' })
    expect(decodeTokenFee('0x')).toMatchObject({ ok: false })
    expect(() => encodeTokenFee({ ...fee, rate: 2n ** 128n })).toThrow('rate')
    expect(() => encodeTokenFee({ ...fee, extraGas: 2 ** 32 })).toThrow('extraGas')
  })
})

test('maximumTokenFee: all limits and the extra gas at the highest price, rounded up', () => {
  const gas = 100_000n + 80_000n + 50_000n + 30_000n + 50_000n
  expect(requiredPrefund(operation)).toBe(gas * 2_000_000_000n)
  // (310,000 + 21,000) × 2 gwei × 2,625 tokens
  expect(maximumTokenFee(operation, fee)).toBe(1_737_750n)
  expect(maximumTokenFee(operation, { ...fee, rate: 1n })).toBe(1n)
})

test('getTokenFeeHash: every signed field counts', () => {
  const hash = getTokenFeeHash({ fee, operation, chainId: 1 })
  const others: readonly Hex[] = [
    getTokenFeeHash({ fee, operation, chainId: 2 }),
    ...(
      [
        { paymaster: randomAddress() },
        { paymasterVerificationGasLimit: 1n },
        { paymasterPostOpGasLimit: 1n },
        { token: randomAddress() },
        { rate: 1n },
        { extraGas: 1 },
        { validUntil: 1 },
      ] as const
    ).map((change) => getTokenFeeHash({ fee: { ...fee, ...change }, operation, chainId: 1 })),
    ...(
      [
        { sender: randomAddress() },
        { nonce: 2n },
        { initCode: '0x01' },
        { callData: '0x01' },
        { callGasLimit: 1n },
        { verificationGasLimit: 1n },
        { preVerificationGas: 1n },
        { maxFeePerGas: 1n },
        { maxPriorityFeePerGas: 2n },
      ] as const
    ).map((change) => getTokenFeeHash({ fee, operation: { ...operation, ...change }, chainId: 1 })),
  ]
  expect(new Set([hash, ...others]).size).toBe(others.length + 1)
})

test('encodeTokenFeeApproval: exactly the maximum, after a reset where the token wants it', () => {
  const { token, paymaster } = fee
  const amounts = (resetFirst: boolean) =>
    encodeTokenFeeApproval({ token, paymaster, maximum: 5n, resetFirst }).map(({ to, value, data }) => {
      expect([to, value]).toEqual([token, 0n])
      return decodeFunctionData({ abi: erc20Abi, data }).args
    })
  expect(amounts(false)).toEqual([[paymaster, 5n]])
  expect(amounts(true)).toEqual([
    [paymaster, 0n],
    [paymaster, 5n],
  ])
})
