import { describe, expect, test } from 'vitest'
import { SoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { assertOnP256, parseCosePublicKey } from './public-key.ts'

describe('assertOnP256', () => {
  const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
  /** SEC 2 v2.0 §2.4.2. */
  const basePoint = {
    x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
    y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  }
  /** The point with x = 0: y is the square root of the curve's b. */
  const zero = { x: 0n, y: 0x66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4n }

  test('default', () => {
    for (const point of [basePoint, zero]) {
      assertOnP256(point)
      assertOnP256({ ...point, y: p - point.y })
    }
  })

  test.each([
    ['the same modulo p, x above', { ...zero, x: p }],
    ['the same modulo p, x below', { ...basePoint, x: basePoint.x - p }],
    ['the same modulo p, y above', { ...basePoint, y: basePoint.y + p }],
    ['the same modulo p, y below', { ...basePoint, y: basePoint.y - p }],
    ['another y', { ...basePoint, y: basePoint.y + 1n }],
    ['nothing', { x: 0n, y: 0n }],
  ])('error: NOT_ON_CURVE, %s', (_, point) => {
    expect(() => assertOnP256(point)).toThrow(expect.objectContaining({ code: 'NOT_ON_CURVE' }))
  })
})

describe('parseCosePublicKey', () => {
  const { cosePublicKey, publicKey } = new SoftwareAuthenticator()

  test('default', () => {
    expect(parseCosePublicKey(cosePublicKey)).toEqual(publicKey)
  })

  test('error: MALFORMED', () => {
    const otherAlgorithm = Uint8Array.from(cosePublicKey)
    otherAlgorithm[4] = 0x27 // -8, EdDSA
    const otherMember = Uint8Array.from(cosePublicKey)
    otherMember[42] = 0x23 // -4 instead of -3, which is y
    for (const key of [new Uint8Array(), cosePublicKey.subarray(0, 76), otherAlgorithm, otherMember])
      expect(() => parseCosePublicKey(key)).toThrow(expect.objectContaining({ code: 'MALFORMED' }))
  })

  test('error: NOT_ON_CURVE', () => {
    const off = Uint8Array.from(cosePublicKey)
    off[76] = (off[76] ?? 0) ^ 1
    expect(() => parseCosePublicKey(off)).toThrow(expect.objectContaining({ code: 'NOT_ON_CURVE' }))
  })
})
