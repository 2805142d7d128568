import { smartBalanceAbi } from '@lanyard/onchain'
import { decodeFunctionData, type Hex, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { encodeSettleBatch, readOrderRecord, toSettledOperation } from './settlement.ts'

describe('encodeSettleBatch', () => {
  const uint128 = (value: number): string => value.toString(16).padStart(32, '0')
  const proof: Hex = `0x${'0f'.repeat(130)}`
  const operation = {
    sender: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    nonce: 1n,
    initCode: '0x02',
    callData: '0x03',
    callGasLimit: 4n,
    verificationGasLimit: 5n,
    preVerificationGas: 6n,
    maxFeePerGas: 7n,
    maxPriorityFeePerGas: 8n,
    paymasterAndData: '0x09',
    signature: '0x0a',
  } as const
  const signed = {
    operation: {
      account: operation.sender,
      nonce: 1n,
      initCodeHash: keccak256('0x02'),
      callDataHash: keccak256('0x03'),
      accountGasLimits: `0x${uint128(5)}${uint128(4)}`,
      preVerificationGas: 6n,
      gasFees: `0x${uint128(8)}${uint128(7)}`,
    },
    paymasterAndData: '0x09',
    signature: '0x0a',
  }

  test('toSettledOperation', () => {
    expect(toSettledOperation(operation)).toEqual(signed)
  })

  test('encodeSettleBatch', () => {
    const settling = { chainId: 31337, signed: toSettledOperation(operation), proof }
    const data = encodeSettleBatch([
      { ...settling, outcome: 'claimed' },
      { ...settling, chainId: 31338, outcome: 'failed' },
    ])
    expect(decodeFunctionData({ abi: smartBalanceAbi, data })).toEqual({
      functionName: 'settleBatch',
      args: [
        [
          { chainId: 31337n, signed, outcome: 1, proof },
          { chainId: 31338n, signed, outcome: 2, proof },
        ],
      ],
    })
  })
})

describe('readOrderRecord', () => {
  const orderHash = `0x${'ff'.repeat(17)}${'5a'.repeat(15)}` as const
  const order = BigInt(`0x${'5a'.repeat(15)}`)

  test.each([
    [1, 'claimed'],
    [2, 'failed'],
    [3, 'unfunded'],
  ] as const)('outcome %i is %s', (value, outcome) => {
    expect(readOrderRecord([value, 7n, order], orderHash)).toEqual({ outcome, amount: 7n })
  })

  test('behavior: no outcome if another order used the nonce', () => {
    expect(readOrderRecord([1, 7n, order + 1n], orderHash)).toEqual({ outcome: undefined, amount: 0n })
  })

  test('behavior: no outcome without a record', () => {
    expect(readOrderRecord([0, 0n, 0n], orderHash)).toEqual({ outcome: undefined, amount: 0n })
  })
})
