import { numericSeed } from '@lanyard/testing'
import fc from 'fast-check'
import { hexToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { p256Order } from './assert-on-p256.ts'
import { parseDerSignature } from './parse-der-signature.ts'

fc.configureGlobal({ seed: numericSeed })

/** DER's INTEGER: the shortest two's complement. */
function integer(value: bigint): string {
  const hex = value.toString(16)
  const even = hex.length % 2 === 0 ? hex : `0${hex}`
  const positive = Number.parseInt(even.slice(0, 2), 16) > 0x7f ? `00${even}` : even
  return `02${(positive.length / 2).toString(16).padStart(2, '0')}${positive}`
}
function der(r: bigint, s: bigint): Uint8Array {
  const content = integer(r) + integer(s)
  return hexToBytes(`0x30${(content.length / 2).toString(16).padStart(2, '0')}${content}`)
}
const scalar = fc.oneof(fc.bigInt({ min: 1n, max: p256Order - 1n }), fc.bigInt({ min: 1n, max: 300n }))

describe('parseDerSignature', () => {
  test('default', () => {
    fc.assert(
      fc.property(scalar, scalar, (r, s) => {
        expect(parseDerSignature(der(r, s))).toEqual({ r, s })
      }),
    )
  })

  test('behavior: never throws', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void parseDerSignature(bytes)))
  })

  test('error: out of range, cut short, trailing bytes, negative', () => {
    expect(parseDerSignature(der(0n, 1n))).toBeUndefined()
    expect(parseDerSignature(der(1n, p256Order))).toBeUndefined()
    expect(parseDerSignature(der(1n, 1n).subarray(0, 7))).toBeUndefined()
    expect(parseDerSignature(Buffer.concat([der(1n, 1n), Buffer.alloc(1)]))).toBeUndefined()
    expect(parseDerSignature(hexToBytes('0x3006020181020101'))).toBeUndefined()
  })

  test.each([
    ['another outer tag', '0x3106020101020101'],
    ['a length that is too small', '0x3005020101020101'],
    ['a length that is too large', '0x3007020101020101'],
    ['another tag on the first integer', '0x3006030101020101'],
    ['another tag on the second integer', '0x3006020101030101'],
    ['only one integer', '0x3003020101'],
    ['an empty integer', '0x30050200020101'],
    ['an empty last integer', '0x30050201010200'],
    ['an integer beyond the end', '0x3006020101020501'],
    ['a first integer beyond the end', '0x3006021f01020101'],
    ['data after the integers', '0x300902010102010102010a'],
    ['nothing', '0x'],
  ] as const)('error: %s', (_, bytes) => {
    expect(parseDerSignature(hexToBytes(bytes))).toBeUndefined()
  })

  test('error: an unnecessary leading zero', () => {
    expect(parseDerSignature(hexToBytes('0x300702020001020101'))).toBeUndefined()
    expect(parseDerSignature(hexToBytes('0x30080202008102020081'))).toEqual({ r: 0x81n, s: 0x81n })
    expect(parseDerSignature(hexToBytes('0x30080202007f0202007f'))).toBeUndefined()
    expect(parseDerSignature(hexToBytes('0x30080202008002020080'))).toEqual({ r: 0x80n, s: 0x80n })
    expect(parseDerSignature(hexToBytes('0x300602017f02017f'))).toEqual({ r: 0x7fn, s: 0x7fn })
  })
})
