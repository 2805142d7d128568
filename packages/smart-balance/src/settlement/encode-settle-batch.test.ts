import { smartBalanceAbi } from '@lanyard/onchain'
import { decodeFunctionData, type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { encodeSettleBatch } from './encode-settle-batch.ts'
import { toSettledOperation } from './to-settled-operation.ts'

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
