import {
  type Call,
  defaultVerifiers,
  encodeCalls,
  getSafeOperationHash,
  toWireUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import type { TransactionOptions } from '@lanyard/client'
import {
  encodeOrderCalls,
  encodePaymasterAndData,
  type OrderPlan,
  stubOperatorSignature,
  type UnsignedOrder,
} from '@lanyard/smart-balance'
import { bufferToBase64URLString } from '@simplewebauthn/browser'
import { hexToBytes, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { verifyPayment } from './verify-payment.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const smartBalance = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const thief = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const chainId = 31339
const now = 1_800_000_000
const transfer: Call = { to: '0x5FbDB2315678afecb367f032d93F642f64180aa3', value: 0n, data: '0xa9059cbb' }
const plan: OrderPlan = {
  amount: 250_000_000n,
  fee: 250_000n,
  total: 250_250_000n,
  withdrawal: { amount: 100_000_000n, fee: 0n },
  claimAmount: 150_000_000n,
  debits: [
    { network: 31337, amount: 100_000_000n, failFee: 50_000n },
    { network: 31338, amount: 50_250_000n, failFee: 0n },
  ],
}
const nonce = 7n << 64n
const withdrawal = {
  to: account,
  ...plan.withdrawal,
  salt: zeroHash,
  deadline: now + 600,
  signature: stubOperatorSignature,
} as const
const order: UnsignedOrder = {
  paymaster: smartBalance,
  paymasterVerificationGasLimit: 300_000n,
  paymasterPostOpGasLimit: 120_000n,
  claimAmount: plan.claimAmount,
  validUntil: now + 600,
  debits: plan.debits.map(({ network, ...debit }) => ({ chainId: network, ...debit })),
  signer: { kind: 'passkey', x: 1n, y: 2n, verifiers: defaultVerifiers },
}
const orderCalls = (changed: Partial<typeof withdrawal | { to: typeof thief }> = {}) =>
  encodeOrderCalls({ smartBalance, order, nonce, withdrawal: { ...withdrawal, ...changed } })

/** The response of an honest service, with the given changes. */
function answer({
  changedOrder = {},
  calls = [...orderCalls(), transfer],
  changed = {},
  shown = {},
}: {
  changedOrder?: Partial<UnsignedOrder>
  calls?: readonly Call[]
  /** Changes to the signed operation. */
  changed?: Partial<UserOperation>
  /** Changes to the shown operation. */
  shown?: Partial<UserOperation>
} = {}): TransactionOptions {
  const paymasterAndData = encodePaymasterAndData({
    ...order,
    ...changedOrder,
    operatorSignature: stubOperatorSignature,
  })
  const operation: UserOperation = {
    sender: account,
    nonce,
    initCode: '0x',
    callData: encodeCalls(calls),
    callGasLimit: 100_000n,
    verificationGasLimit: 200_000n,
    preVerificationGas: 50_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    paymasterAndData,
    ...changed,
  }
  const bytes = hexToBytes(getSafeOperationHash(operation, { chainId, validUntil: now + 600 }))
  const answered = { ...operation, ...shown }
  const { sender, initCode, callData } = answered
  return {
    challenge: bufferToBase64URLString(new Uint8Array(bytes).buffer),
    userOp: {
      ...toWireUserOperation(answered),
      sender,
      initCode,
      callData,
      paymasterAndData: answered.paymasterAndData,
    },
    validUntil: String(now + 600),
  }
}
const expected = { account, chainId, smartBalance, plan, calls: [transfer], now } as const
const codeOf = (options: TransactionOptions, changed: Partial<typeof expected> = {}) => {
  try {
    verifyPayment(options, { ...expected, ...changed })
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  return 'accepted'
}

describe('verifyPayment', () => {
  test('default', () => {
    expect(verifyPayment(answer(), expected)).toMatchObject({
      plan,
      validUntil: now + 600,
      operation: { calls: [...orderCalls(), transfer], deploysAccount: false },
    })
  })

  test("behavior: accepts a withdrawal to the user's own account without further calls", () => {
    expect(codeOf(answer({ calls: orderCalls() }), { calls: [] as never })).toBe('accepted')
  })

  const [first, second] = order.debits
  if (!first || !second) throw new TypeError('The plan has two debits')
  test.each<[string, Partial<UnsignedOrder>]>([
    ['another contract', { paymaster: thief }],
    ['a smaller loan', { claimAmount: order.claimAmount - 1n }],
    ['a larger debit', { debits: [first, { ...second, amount: second.amount + 1n }] }],
    ['an extra debit', { debits: [first, second, { chainId: 99_999, amount: 1n, failFee: 0n }] }],
    ['a debit on another network', { debits: [first, { ...second, chainId: 31340 }] }],
    ['a larger failFee', { debits: [{ ...first, failFee: 50_001n }, second] }],
    ['an order that is valid for days', { validUntil: now + 86_400 }],
    ['an order that has expired', { validUntil: now - 3_600 }],
  ])('error: ORDER_DIFFERS for %s', (_, changedOrder) => {
    expect(codeOf(answer({ changedOrder }))).toBe('ORDER_DIFFERS')
  })

  test.each<[string, readonly Call[]]>([
    ['a withdrawal to someone else', [...orderCalls({ to: thief }), transfer]],
    ['no claim', [...orderCalls().slice(0, 1), transfer]],
    [
      'the claim of another nonce',
      [...encodeOrderCalls({ smartBalance, order, nonce: nonce + 1n, withdrawal }), transfer],
    ],
    ["the user's call first", [transfer, ...orderCalls()]],
  ])('error: ORDER_DIFFERS for %s', (_, calls) => {
    expect(codeOf(answer({ calls }))).toBe('ORDER_DIFFERS')
  })

  test.each<[string, readonly Call[]]>([
    ["without the user's call", orderCalls()],
    ['with another call', [...orderCalls(), { ...transfer, to: thief }]],
    ['with an extra call', [...orderCalls(), transfer, transfer]],
  ])('error: CALLS_DIFFER %s', (_, calls) => {
    expect(codeOf(answer({ calls }))).toBe('CALLS_DIFFER')
  })

  test('error: ORDER_DIFFERS for bytes that are not an order, and without an order', () => {
    expect(codeOf(answer({ changed: { paymasterAndData: `0x${'22'.repeat(52)}` } }))).toBe('ORDER_DIFFERS')
    const { userOp, ...rest } = answer()
    const { paymasterAndData: _, ...nine } = userOp
    expect(codeOf({ ...rest, userOp: nine })).toBe('ORDER_DIFFERS')
  })

  test('error: HASH_DIFFERS if the shown operation differs from the signed one', () => {
    expect(codeOf(answer({ shown: { callGasLimit: 1n } }))).toBe('HASH_DIFFERS')
    expect(codeOf({ ...answer(), validUntil: String(now + 601) })).toBe('HASH_DIFFERS')
    const { paymasterAndData } = answer({ changedOrder: { validUntil: now + 599 } }).userOp
    expect(codeOf(answer({ shown: { paymasterAndData: paymasterAndData as `0x${string}` } }))).toBe(
      'HASH_DIFFERS',
    )
  })

  test('error: SENDER_DIFFERS', () => {
    const calls = [...orderCalls({ to: thief }), transfer]
    expect(codeOf(answer({ calls, changed: { sender: thief } }))).toBe('SENDER_DIFFERS')
  })
})
