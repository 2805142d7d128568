import { numericSeed } from '@lanyard/testing'
import fc from 'fast-check'
import { type Hex, size, slice } from 'viem'
import { describe, expect, test } from 'vitest'
import { order as anyOrder } from '../../test/arbitraries.ts'
import { decodePaymasterAndData } from './decode-paymaster-and-data.ts'
import type { Order } from './order.ts'
import { encodePaymasterAndData, stubOperatorSignature } from './order-hash.ts'

fc.configureGlobal({ seed: numericSeed })

const order: Order = {
  paymaster: '0x1de369C050d12c59EAB848C938932a347eaFa68c',
  paymasterVerificationGasLimit: 1n,
  paymasterPostOpGasLimit: 2n,
  claimAmount: 3n,
  validUntil: 600,
  debits: [{ chainId: 5, amount: 6n, failFee: 7n }],
  signer: { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  operatorSignature: stubOperatorSignature,
}
const malformed = expect.objectContaining({ ok: false, code: 'MALFORMED' })

describe('encodePaymasterAndData', () => {
  test('default', () => {
    expect(encodePaymasterAndData(order)).toBe(
      [
        '0x1de369c050d12c59eab848c938932a347eafa68c',
        `${'1'.padStart(32, '0')}${'2'.padStart(32, '0')}`,
        `01${'3'.padStart(32, '0')}${'258'.padStart(12, '0')}`,
        `01${'5'.padStart(16, '0')}${'6'.padStart(32, '0')}${'7'.padStart(16, '0')}`,
        '0070997970c51812dc3a010c7d01b50e0d17dc79c8',
        stubOperatorSignature.slice(2),
      ].join(''),
    )
  })

  test.each<[string, Partial<Order>]>([
    ['claimAmount', { claimAmount: 2n ** 128n }],
    ['claimAmount', { claimAmount: -1n }],
    ['validUntil', { validUntil: 2 ** 48 }],
    ['paymasterVerificationGasLimit', { paymasterVerificationGasLimit: 2n ** 128n }],
    ['paymasterPostOpGasLimit', { paymasterPostOpGasLimit: 2n ** 128n }],
    ['debits.chainId', { debits: [{ chainId: -1, amount: 1n, failFee: 0n }] }],
    ['debits.amount', { debits: [{ chainId: 1, amount: 2n ** 128n, failFee: 0n }] }],
    ['debits.failFee', { debits: [{ chainId: 1, amount: 1n, failFee: 2n ** 64n }] }],
    ['signer.verifiers', { signer: { kind: 'passkey', x: 0n, y: 0n, verifiers: 2n ** 176n } }],
  ])('error: OUT_OF_RANGE, %s', (field, changed) => {
    expect(() => encodePaymasterAndData({ ...order, ...changed })).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE', details: expect.objectContaining({ field }) }),
    )
  })

  test('error: OUT_OF_RANGE, without an end time', () => {
    expect(() => encodePaymasterAndData({ ...order, validUntil: 599 })).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE' }),
    )
  })

  test('error: OUT_OF_RANGE, more debits than the count field can hold', () => {
    const debits = (length: number) => Array(length).fill({ chainId: 1, amount: 1n, failFee: 0n })
    expect(size(encodePaymasterAndData({ ...order, debits: debits(255) }))).toBe(76 + 255 * 32 + 21 + 65)
    expect(() => encodePaymasterAndData({ ...order, debits: debits(256) })).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE', message: expect.stringContaining('at most 255') }),
    )
  })

  test.each<[string, Partial<Order>]>([
    ['paymaster', { paymaster: '0x12' }],
    ['operatorSignature', { operatorSignature: '0x' }],
    ['signer.address', { signer: { kind: 'eoa', address: `0x${'11'.repeat(21)}` } }],
  ])('error: MALFORMED, %s', (field, changed) => {
    expect(() => encodePaymasterAndData({ ...order, ...changed })).toThrow(
      expect.objectContaining({ code: 'MALFORMED', details: expect.objectContaining({ field }) }),
    )
  })
})

describe('decodePaymasterAndData', () => {
  test('default', () => {
    fc.assert(
      fc.property(anyOrder, (any) => {
        expect(decodePaymasterAndData(encodePaymasterAndData(any))).toEqual({ ok: true, order: any })
      }),
    )
  })

  test('behavior: accepts upper-case hex', () => {
    const upper: Hex = `0x${encodePaymasterAndData(order).slice(2).toUpperCase()}`
    expect(decodePaymasterAndData(upper)).toEqual({ ok: true, order })
  })

  test('behavior: any decoded value encodes to the same bytes', () => {
    fc.assert(
      fc.property(anyOrder, fc.nat(), fc.integer({ min: 1, max: 255 }), (any, position, change) => {
        const bytes = Buffer.from(encodePaymasterAndData(any).slice(2), 'hex')
        const at = position % bytes.length
        bytes[at] = (bytes[at] ?? 0) ^ change
        const mutated: Hex = `0x${bytes.toString('hex')}`
        const decoded = decodePaymasterAndData(mutated)
        if (decoded.ok) expect(encodePaymasterAndData(decoded.order)).toBe(mutated)
        else expect(['MALFORMED', 'UNKNOWN_CHAIN']).toContain(decoded.code)
      }),
      { numRuns: 500 },
    )
  })

  test('error: MALFORMED, every truncation', () => {
    const whole = encodePaymasterAndData(order)
    for (let length = 1; length < size(whole); length++)
      expect(decodePaymasterAndData(slice(whole, 0, length))).toEqual(malformed)
    expect(decodePaymasterAndData('0x')).toEqual(malformed)
  })

  test('error: MALFORMED, trailing bytes', () => {
    fc.assert(
      fc.property(anyOrder, (any) => {
        expect(decodePaymasterAndData(`${encodePaymasterAndData(any)}00`)).toEqual(malformed)
      }),
    )
  })

  test.each<[string, (whole: string) => string]>([
    ['another version', (whole) => `${whole.slice(0, 106)}02${whole.slice(108)}`],
    ['valid forever', (whole) => `${whole.slice(0, 140)}${'0'.repeat(12)}${whole.slice(152)}`],
    ['another count of debits', (whole) => `${whole.slice(0, 152)}02${whole.slice(154)}`],
    ['another kind of signer', (whole) => `${whole.slice(0, 218)}02${whole.slice(220)}`],
    ['a passkey that is an address', (whole) => `${whole.slice(0, 218)}01${whole.slice(220)}`],
    ['an incomplete byte', (whole) => whole.slice(0, -1)],
    ['not hex', (whole) => `${whole.slice(0, -2)}zz`],
    ['no hex at the start', (whole) => `0x0x${whole.slice(4)}`],
  ])('error: MALFORMED, %s', (_, change) => {
    // The type forbids the last ones; bytes from outside do not.
    const changed = change(encodePaymasterAndData(order)) as Hex
    expect(changed).not.toBe(encodePaymasterAndData(order))
    expect(decodePaymasterAndData(changed)).toEqual(malformed)
  })

  test('error: UNKNOWN_CHAIN', () => {
    const whole = encodePaymasterAndData(order)
    const changed = `${whole.slice(0, 154)}${'ff'.repeat(8)}${whole.slice(170)}` as Hex // still hex
    expect(decodePaymasterAndData(changed)).toMatchObject({ ok: false, code: 'UNKNOWN_CHAIN' })
  })
})
