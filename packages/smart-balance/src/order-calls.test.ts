import { smartBalanceAbi } from '@lanyard/onchain'
import { decodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  encodeAddSigner,
  encodeCancelExit,
  encodeClaim,
  encodeFinalizeExit,
  encodeOrderCalls,
  encodeRemoveSigner,
  encodeRequestExit,
  encodeWithdraw,
} from './calls.ts'

const smartBalance = '0x1de369C050d12c59EAB848C938932a347eaFa68c'
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const signer: Hex = `0x${'51'.repeat(32)}`
const withdrawal = {
  to: recipient,
  amount: 1n,
  fee: 2n,
  salt: `0x${'5a'.repeat(32)}`,
  deadline: 3,
  signature: `0x${'0c'.repeat(65)}`,
} as const

const { to, amount, fee, salt, deadline, signature } = withdrawal
const withdraw = { functionName: 'withdraw', args: [to, amount, fee, salt, deadline, signature] }

test.each([
  ['encodeClaim', encodeClaim(smartBalance, 5n), { functionName: 'claim', args: [5n] }],
  ['encodeWithdraw', encodeWithdraw(smartBalance, withdrawal), withdraw],
  ['encodeRequestExit', encodeRequestExit(smartBalance, 7n), { functionName: 'requestExit', args: [7n] }],
  ['encodeCancelExit', encodeCancelExit(smartBalance), { functionName: 'cancelExit' }],
  [
    'encodeFinalizeExit',
    encodeFinalizeExit(smartBalance, recipient),
    { functionName: 'finalizeExit', args: [recipient] },
  ],
  ['encodeAddSigner', encodeAddSigner(smartBalance, signer), { functionName: 'addSigner', args: [signer] }],
  [
    'encodeRemoveSigner',
    encodeRemoveSigner(smartBalance, signer),
    { functionName: 'removeSigner', args: [signer] },
  ],
])('%s', (_, call, meaning) => {
  expect(call).toMatchObject({ to: smartBalance, value: 0n })
  expect(decodeFunctionData({ abi: smartBalanceAbi, data: call.data })).toEqual(meaning)
})

describe('encodeOrderCalls', () => {
  const debits = [{}]

  test('default', () => {
    expect(
      encodeOrderCalls({ smartBalance, order: { claimAmount: 1n, debits }, nonce: 5n, withdrawal }),
    ).toEqual([encodeWithdraw(smartBalance, withdrawal), encodeClaim(smartBalance, 5n)])
  })

  test('behavior: an order with debits claims even without a loan', () => {
    expect(encodeOrderCalls({ smartBalance, order: { claimAmount: 0n, debits }, nonce: 5n })).toEqual([
      encodeClaim(smartBalance, 5n),
    ])
  })

  test('behavior: a sponsorship at most withdraws', () => {
    const order = { claimAmount: 0n, debits: [] }
    expect(encodeOrderCalls({ smartBalance, order, nonce: 5n })).toEqual([])
    expect(encodeOrderCalls({ smartBalance, order, nonce: 5n, withdrawal })).toEqual([
      encodeWithdraw(smartBalance, withdrawal),
    ])
  })
})
