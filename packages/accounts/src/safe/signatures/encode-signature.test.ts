import { describe, expect, test } from 'vitest'
import { decodeSignature } from './decode-signature.ts'
import { encodeSignature } from './encode-signature.ts'

const largest = 2 ** 48 - 1

describe('encodeSignature', () => {
  test('default', () => {
    expect(encodeSignature({ validAfter: 1, validUntil: largest, signatures: '0xcafe' })).toBe(
      '0x000000000001ffffffffffffcafe',
    )
  })

  test('error: OUT_OF_RANGE', () => {
    for (const [field, times] of [
      ['validUntil', { validAfter: 0, validUntil: largest + 1 }],
      ['validAfter', { validAfter: -1, validUntil: 0 }],
    ] as const)
      expect(() => encodeSignature({ ...times, signatures: '0x' })).toThrow(
        expect.objectContaining({ code: 'OUT_OF_RANGE', details: { field, bits: 48 } }),
      )
  })
})

describe('decodeSignature', () => {
  test('default', () => {
    for (const signatures of ['0x', '0xcafe'] as const) {
      const signature = { validAfter: 1, validUntil: largest, signatures }
      expect(decodeSignature(encodeSignature(signature))).toEqual(signature)
    }
  })

  test('error: MALFORMED', () => {
    expect(() => decodeSignature('0x00')).toThrow(expect.objectContaining({ code: 'MALFORMED' }))
  })
})
