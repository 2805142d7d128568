import {
  decodePaymasterAndData,
  encodeClaim,
  encodePaymasterAndData,
  encodeWithdraw,
  minimumPostOpGas,
  signerId,
  stubOperatorSignature,
} from '@lanyard/smart-balance'
import { getAddress, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { smartBalance } from '../../../../test/network.ts'
import { account, orderRow } from '../../../../test/rows.ts'
import { requireUsable } from './find-order.ts'
import { draftOrder, draftOrderWithGas, type OrderTerms, readOrder, withDraftGas } from './order-bytes.ts'
import { requireOrderSigner } from './order-signers.ts'
import { orderValidity, reservedUntil } from './paymaster-terms.ts'
import { requireReservedCalls, reservedCalls } from './reserved-calls.ts'

const eoa = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } as const
const terms: OrderTerms = {
  paymaster: smartBalance,
  claimAmount: 900n,
  validUntil: 1_800_000_000,
  debits: [{ chainId: 31338, amount: 930n, failFee: 5n }],
  signer: eoa,
}
const sponsorship: OrderTerms = { ...terms, claimAmount: 0n, debits: [] }
const gasOf = (bytes: Hex) => {
  const decoded = decodePaymasterAndData(bytes)
  if (!decoded.ok) throw new TypeError(decoded.message)
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit, ...order } = decoded.order
  return { verification: paymasterVerificationGasLimit, postOp: paymasterPostOpGasLimit, order }
}
const unsigned = { ...terms, operatorSignature: stubOperatorSignature }

describe('order-bytes', () => {
  const estimate = {
    callGasLimit: 1n,
    verificationGasLimit: 2n,
    preVerificationGas: 3n,
    execution: { success: true, revertData: '0x' },
  } as const
  const estimated = (postOp: bigint | undefined) => ({
    ...estimate,
    paymasterVerificationGasLimit: 77n,
    ...(postOp !== undefined && { paymasterPostOpGasLimit: postOp }),
  })

  test('draftOrder: the draft is as long and as expensive as the final order', () => {
    expect(gasOf(draftOrder(terms))).toEqual({
      verification: 0x010101n,
      postOp: minimumPostOpGas,
      order: unsigned,
    })
    expect(gasOf(draftOrder(sponsorship)).postOp).toBe(0n)
  })

  test("draftOrderWithGas: postOp gets at least the contract's minimum", () => {
    const more = minimumPostOpGas + 1n
    expect(gasOf(draftOrderWithGas(terms, estimated(more)))).toEqual({
      verification: 77n,
      postOp: more,
      order: unsigned,
    })
    expect(gasOf(draftOrderWithGas(terms, estimated(5n))).postOp).toBe(minimumPostOpGas)
    expect(gasOf(draftOrderWithGas(terms, estimated(undefined))).postOp).toBe(minimumPostOpGas)
    expect(gasOf(draftOrderWithGas(sponsorship, estimated(5n))).postOp).toBe(5n)
    expect(gasOf(draftOrderWithGas(sponsorship, estimated(undefined))).postOp).toBe(0n)
    expect(() => draftOrderWithGas(terms, estimate)).toThrow(
      expect.objectContaining({
        code: 'BUNDLER_FAILED',
        cause: expect.stringContaining('paymasterVerificationGasLimit'),
      }),
    )
  })

  test('withDraftGas: the estimate gets the gas of the draft', () => {
    expect(withDraftGas(sponsorship, draftOrderWithGas(terms, estimated(199_999n)))).toEqual({
      ...sponsorship,
      paymasterVerificationGasLimit: 77n,
      paymasterPostOpGasLimit: 199_999n,
    })
    expect(() => withDraftGas(terms, '0x')).toThrow(
      expect.objectContaining({ code: 'INTERNAL', cause: expect.stringContaining('draft') }),
    )
  })

  test('readOrder', () => {
    const order = { ...unsigned, paymasterVerificationGasLimit: 1n, paymasterPostOpGasLimit: 2n }
    expect(readOrder(encodePaymasterAndData(order))).toEqual(order)
    expect(() => readOrder('0x')).toThrow(
      expect.objectContaining({ code: 'INTERNAL', cause: expect.stringContaining('too short') }),
    )
  })
})

describe('requireOrderSigner', () => {
  const passkey = { kind: 'passkey', x: 1n, y: 2n, verifiers: 3n } as const
  const candidates = [{ key: passkey }, { key: eoa }]

  test('default: findOrder finds the order that is reserved for the signer', () => {
    for (const candidate of candidates)
      expect(requireOrderSigner({ signer_id: signerId(candidate.key) }, candidates)).toBe(candidate)
  })

  test('error: ORDER_MISMATCH if no candidate is the signer', () => {
    for (const others of [[], [{ key: passkey }]])
      expect(() => requireOrderSigner({ signer_id: signerId(eoa) }, others)).toThrow(
        expect.objectContaining({ code: 'ORDER_MISMATCH' }),
      )
  })
})

describe('reservedCalls', () => {
  const debits = [
    {
      order_id: orderRow().order_id,
      network: 31338,
      amount: 1n,
      fail_fee: 0n,
      state: 'RESERVED' as const,
    },
  ]
  // Only the number of rows matters.
  const found = (order = orderRow(), owed = debits) =>
    ({ order, debits: owed }) as unknown as Parameters<typeof reservedCalls>[0]
  const nonce = (2n << 64n) | 3n
  const withdraw = encodeWithdraw(smartBalance, {
    to: getAddress(account),
    amount: 100n,
    fee: 5n,
    salt: `0x${'5a'.repeat(32)}`,
    deadline: 2_000_000_000,
    signature: `0x${'c0'.repeat(65)}`,
  })

  test('default: the withdrawal comes first, then the claim', () => {
    expect(reservedCalls(found(), smartBalance)).toEqual([withdraw, encodeClaim(smartBalance, nonce)])
  })

  test('behavior: an absent withdrawal or claim has no call', () => {
    for (const missing of [
      { withdrawal_salt: null },
      { withdrawal_deadline: null },
      { withdrawal_signature: null },
    ])
      expect(reservedCalls(found(orderRow(missing)), smartBalance)).toEqual([
        encodeClaim(smartBalance, nonce),
      ])
    expect(reservedCalls(found(orderRow({ claim_amount: 0n }), []), smartBalance)).toEqual([withdraw])
  })
})

describe('requireReservedCalls', () => {
  const reserved = [
    { to: smartBalance, value: 0n, data: '0xab01' },
    { to: smartBalance, value: 0n, data: '0xab02' },
  ] as const
  const [first, second] = reserved
  const own = { to: getAddress(account), value: 7n, data: '0x' } as const

  test('default: calls that start with the reserved calls pass', () => {
    expect(() => requireReservedCalls(reserved, [...reserved, own])).not.toThrow()
    expect(() => requireReservedCalls(reserved, reserved)).not.toThrow()
    expect(() => requireReservedCalls([], [own])).not.toThrow()
    expect(() => requireReservedCalls([], [])).not.toThrow()
    const lower = reserved.map((call) => ({
      ...call,
      to: smartBalance.toLowerCase() as Hex,
      data: '0xAB01' as Hex,
    }))
    expect(() => requireReservedCalls([first], lower)).not.toThrow()
  })

  test.each([
    ['nothing', [], 0],
    ['another call first', [own, ...reserved], 0],
    ['the second missing', [first], 1],
    ['another call in between', [first, own, second], 1],
    ['another order', [second, first], 0],
    ['another contract', [{ ...first, to: own.to }, second], 0],
    ['value', [{ ...first, value: 1n }, second], 0],
    ['other data', [first, { ...second, data: '0xab03' as const }], 1],
    ['the call that the solution does not need', [...reserved, { ...first, data: '0x' as const }], 2],
  ])('error: ORDER_MISMATCH for %s', (_, calls, call) => {
    expect(() => requireReservedCalls(reserved, calls)).toThrow(
      expect.objectContaining({
        code: 'ORDER_MISMATCH',
        issues: [{ path: `transactionDetails.${call}`, message: expect.any(String) }],
        details: { call },
      }),
    )
  })
})

describe('requireUsable', () => {
  const now = new Date(1_800_000_000_000)
  const usable = (changed: Parameters<typeof orderRow>[0], signed = false) =>
    requireUsable(orderRow({ expires_at: new Date(now.getTime() + 1), ...changed }), { signed, now })
  const expired = expect.objectContaining({
    code: 'ORDER_EXPIRED',
    details: { orderId: orderRow().order_id },
  })

  test('default: a reserved or submitted order is usable', () => {
    expect(() => usable({})).not.toThrow()
    expect(() => usable({ state: 'SUBMITTED' })).not.toThrow()
  })

  test("behavior: an order that the operator signed expires by the chain's clock", () => {
    expect(() => usable({ expires_at: now }, true)).not.toThrow()
    expect(() => usable({ expires_at: now })).toThrow(expired)
  })

  test('behavior: a withdrawal must be co-signed', () => {
    expect(() => usable({ withdrawal_signature: null })).toThrow(expired)
    expect(() => usable({ withdrawal_signature: null, withdrawal_amount: 0n })).not.toThrow()
    expect(() => usable({ withdrawal_amount: 0n })).not.toThrow()
  })

  test.each(['CLAIMED', 'FAILED', 'ATTESTED', 'SETTLED', 'EXPIRED'] as const)(
    'error: ORDER_EXPIRED in state %s',
    (state) => {
      expect(() => usable({ state }, true)).toThrow(expired)
    },
  )

  test('error: ORDER_EXPIRED for a closed order', () => {
    expect(() => usable({ closed_at: now }, true)).toThrow(expired)
  })
})

describe('orderValidity', () => {
  const chain = { head: 1_000, block: 5, latest: 1_540 }
  const until = (seconds: number, more: Parameters<typeof orderRow>[0] = {}) =>
    orderRow({ expires_at: new Date(seconds * 1_000), withdrawal_deadline: null, ...more })
  const expired = expect.objectContaining({ code: 'ORDER_EXPIRED' })

  test('default: the first build extends the reservation', () => {
    expect(orderValidity(until(1_100), false, chain)).toBe(1_540)
  })

  test('behavior: a later build does not extend the reservation', () => {
    expect(orderValidity(until(1_100), true, chain)).toBe(1_100)
    expect(orderValidity(until(9_999), true, chain)).toBe(1_540)
  })

  test("behavior: the first build does not extend it beyond the co-signed withdrawal's deadline", () => {
    expect(orderValidity(until(1_100, { withdrawal_deadline: 1_200 }), false, chain)).toBe(1_200)
    expect(orderValidity(until(1_100, { withdrawal_deadline: 1_200 }), true, chain)).toBe(1_100)
    expect(orderValidity(until(1_100, { withdrawal_deadline: 9_999 }), false, chain)).toBe(1_540)
  })

  test('error: ORDER_EXPIRED if less than a minute is left', () => {
    expect(orderValidity(until(1_060), true, chain)).toBe(1_060)
    expect(() => orderValidity(until(1_059), true, chain)).toThrow(expired)
    expect(() => orderValidity(until(1_100, { withdrawal_deadline: 1_059 }), false, chain)).toThrow(expired)
  })

  test('reservedUntil: whole seconds, rounded down', () => {
    expect(reservedUntil(orderRow({ expires_at: new Date(1_999) }))).toBe(1)
  })
})
