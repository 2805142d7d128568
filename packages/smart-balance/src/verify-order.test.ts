import { type Call, encodeCalls, type UserOperation } from '@lanyard/accounts'
import { describe, expect, test } from 'vitest'
import {
  type CosignedWithdrawal,
  encodeClaim,
  encodeOrderCalls,
  encodePaymasterAndData,
  encodeWithdraw,
  getOrderHash,
  type Order,
  stubOperatorSignature,
  type VerifyOrderOperationParameters,
  verifyOrderOperation,
} from './index.ts'

const smartBalance = '0x1de369C050d12c59EAB848C938932a347eaFa68c'
const thirdParty = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const nonce = (3n << 64n) + 1n
const now = 1_800_000_000

const order: Order = {
  paymaster: smartBalance,
  paymasterVerificationGasLimit: 200_000n,
  paymasterPostOpGasLimit: 120_000n,
  claimAmount: 1_000n,
  validUntil: now + 600,
  debits: [
    { chainId: 2, amount: 700n, failFee: 15n },
    { chainId: 4, amount: 330n, failFee: 5n },
  ],
  signer: { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  operatorSignature: stubOperatorSignature,
}
const withdrawal: CosignedWithdrawal = {
  to: account,
  amount: 50n,
  fee: 7n,
  salt: `0x${'5a'.repeat(32)}`,
  deadline: now + 600,
  signature: stubOperatorSignature,
}
const own: Call = { to: thirdParty, value: 5n, data: '0x1234' }
const expected = {
  claimAmount: 1_000n,
  withdrawal: { amount: 50n, fee: 7n },
  debits: [
    { network: 2, amount: 700n, failFee: 15n },
    { network: 4, amount: 330n, failFee: 5n },
  ],
  fee: 37n,
}

interface Made {
  readonly order?: Partial<Order>
  readonly withdrawal?: CosignedWithdrawal | undefined
  readonly calls?: readonly Call[]
}

function operationOf({
  order: changed = {},
  withdrawal: other = withdrawal,
  calls,
}: Made = {}): UserOperation {
  const made = { ...order, ...changed }
  const orderCalls = encodeOrderCalls({ smartBalance, order: made, nonce, withdrawal: other })
  return {
    sender: account,
    nonce,
    initCode: '0x',
    callData: encodeCalls(calls ?? [...orderCalls, own]),
    callGasLimit: 1n,
    verificationGasLimit: 2n,
    preVerificationGas: 3n,
    maxFeePerGas: 4n,
    maxPriorityFeePerGas: 5n,
    paymasterAndData: encodePaymasterAndData(made),
  }
}

const verify = (made: Made = {}, changed: Partial<VerifyOrderOperationParameters> = {}) =>
  verifyOrderOperation({
    operation: operationOf(made),
    expected,
    chainId: 1,
    smartBalance,
    signer: order.signer,
    now,
    ...changed,
  })

describe('verifyOrderOperation', () => {
  test('default', () => {
    const operation = operationOf()
    expect(verify()).toEqual({
      ok: true,
      order,
      orderHash: getOrderHash({ order, operation, chainId: 1 }),
      calls: [own],
    })
  })

  test('args: unknown failFees may add up to the fee', () => {
    const debits = expected.debits.map(({ network, amount }) => ({ network, amount }))
    expect(verify({}, { expected: { ...expected, debits, fee: 20n } })).toMatchObject({ ok: true })
    expect(verify({}, { expected: { ...expected, debits, fee: 19n } })).toMatchObject({ field: 'failFees' })
  })

  test('args: signer', () => {
    const other = { order: { signer: { kind: 'eoa', address: thirdParty } } } as const
    expect(verify(other)).toMatchObject({ field: 'signer' })
    expect(verify(other, { signer: undefined })).toMatchObject({ ok: true })
  })

  test('args: clockSkew', () => {
    expect(verify({}, { now: now - 60 })).toMatchObject({ ok: true })
    expect(verify({}, { now: now - 61 })).toMatchObject({ field: 'validUntil' })
    expect(verify({}, { now: now - 61, clockSkew: 61 })).toMatchObject({ ok: true })
    expect(verify({}, { now: now - 1, clockSkew: 0 })).toMatchObject({ field: 'validUntil' })
    // The order ends 600 seconds after `now`.
    expect(verify({}, { now: now + 659 })).toMatchObject({ ok: true })
    expect(verify({}, { now: now + 660 })).toMatchObject({ field: 'validUntil' })
    expect(verify({}, { now: now + 599, clockSkew: 0 })).toMatchObject({ ok: true })
    expect(verify({}, { now: now + 600, clockSkew: 0 })).toMatchObject({ field: 'validUntil' })
  })

  test('behavior: a sponsorship claims nothing', () => {
    const sponsorship = { order: { claimAmount: 0n, debits: [], paymasterPostOpGasLimit: 0n } }
    const nothing = { ...expected, claimAmount: 0n, debits: [] }
    expect(verify(sponsorship, { expected: nothing })).toMatchObject({ ok: true, calls: [own] })
    expect(verify({}, { expected: nothing })).toMatchObject({ field: 'claimAmount' })
  })

  test('behavior: the deposit on the output network may pay more fee than amount', () => {
    for (const withdrawn of [
      { amount: 5n, fee: 7n },
      { amount: 0n, fee: 7n },
    ])
      expect(
        verify(
          { withdrawal: { ...withdrawal, ...withdrawn } },
          { expected: { ...expected, withdrawal: withdrawn } },
        ),
      ).toMatchObject({ ok: true, calls: [own] })
  })

  test('behavior: the claim comes first without a withdrawal', () => {
    const none = { ...expected, withdrawal: { amount: 0n, fee: 0n } }
    expect(verify({ calls: [encodeClaim(smartBalance, nonce)] }, { expected: none })).toMatchObject({
      ok: true,
      calls: [],
    })
    expect(verify({}, { expected: none })).toMatchObject({ field: 'claim' })
  })

  test.each<[string, Partial<Order>]>([
    ['paymaster', { paymaster: thirdParty }],
    ['claimAmount', { claimAmount: 999n }],
    ['debits', { debits: order.debits.slice(0, 1) }],
    ['debits', { debits: [...order.debits, { chainId: 5, amount: 1n, failFee: 0n }] }],
    ['debits', { debits: order.debits.map((debit) => ({ ...debit, amount: debit.amount + 1n })) }],
    ['debits', { debits: order.debits.map((debit) => ({ ...debit, chainId: debit.chainId + 1 })) }],
    ['debits', { debits: order.debits.toReversed() }],
    ['failFees', { debits: order.debits.map((debit) => ({ ...debit, failFee: debit.failFee + 1n })) }],
    ['signer', { signer: { kind: 'eoa', address: thirdParty } }],
    ['signer', { signer: { kind: 'passkey', x: 1n, y: 2n, verifiers: 3n } }],
    ['validUntil', { validUntil: now + 661 }],
    ['validUntil', { validUntil: now - 60 }],
    ['paymasterPostOpGasLimit', { paymasterPostOpGasLimit: 74_999n }],
  ])('error: %s, order with %o', (field, changed) => {
    expect(verify({ order: changed })).toMatchObject({ ok: false, field })
  })

  test('error: debits beyond the bounds, even if expected', () => {
    const debits = [{ chainId: 2, amount: 100_001_011n, failFee: 0n }]
    const agreed = [{ network: 2, amount: 100_001_011n, failFee: 0n }]
    expect(verify({ order: { debits } }, { expected: { ...expected, debits: agreed } })).toMatchObject({
      field: 'debits',
    })
  })

  test('error: paymasterAndData', () => {
    const operation = operationOf()
    for (const paymasterAndData of ['0x', `${operation.paymasterAndData}00`] as const)
      expect(verify({}, { operation: { ...operation, paymasterAndData } })).toMatchObject({
        field: 'paymasterAndData',
      })
  })

  test('error: callData', () => {
    const operation = { ...operationOf(), callData: '0x12345678' } as const
    expect(verify({}, { operation })).toMatchObject({ field: 'callData' })
  })

  test.each<[string, Partial<CosignedWithdrawal>]>([
    ['to', { to: thirdParty }],
    ['amount', { amount: 49n }],
    ['fee', { fee: 8n }],
    ['deadline', { deadline: now + 599 }],
  ])('error: withdrawal with another %s', (_, changed) => {
    expect(verify({ withdrawal: { ...withdrawal, ...changed } })).toMatchObject({ field: 'withdrawal' })
  })

  const withdraw = encodeWithdraw(smartBalance, withdrawal)
  const claim = encodeClaim(smartBalance, nonce)
  test.each<[string, readonly Call[], string]>([
    ['none', [], 'withdrawal'],
    ['the claim first', [claim, withdraw], 'withdrawal'],
    ['another call first', [own, withdraw, claim], 'withdrawal'],
    ['a withdrawal at another contract', [{ ...withdraw, to: thirdParty }, claim], 'withdrawal'],
    ['a withdrawal with value', [{ ...withdraw, value: 1n }, claim], 'withdrawal'],
    ['a withdrawal with trailing bytes', [{ ...withdraw, data: `${withdraw.data}00` }, claim], 'withdrawal'],
    ['no claim', [withdraw], 'claim'],
    ['another call before the claim', [withdraw, own, claim], 'claim'],
    ['another nonce', [withdraw, encodeClaim(smartBalance, nonce + 1n)], 'claim'],
    ['a claim at another contract', [withdraw, { ...claim, to: thirdParty }], 'claim'],
    ['a claim with value', [withdraw, { ...claim, value: 1n }], 'claim'],
  ])('error: calls, %s', (_, calls, field) => {
    expect(verify({ calls })).toMatchObject({ ok: false, field })
  })
})
