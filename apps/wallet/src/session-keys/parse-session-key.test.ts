import { bytesToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { parseSessionKey } from './parse-session-key.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** The base point of P-256 (SEC 2 v2.0 §2.4.2). */
const x = '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'
const y = '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'

describe('parseSessionKey', () => {
  test('default', () => {
    expect(parseSessionKey(` ${address} `)).toEqual({ ok: true, key: address })
    expect(parseSessionKey(`0x04${x}${y}`)).toEqual({
      ok: true,
      key: { x: BigInt(`0x${x}`), y: BigInt(`0x${y}`) },
    })
  })

  test("behavior: reads WebCrypto's export format", async () => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    const { publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
    const raw = bytesToHex(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)))
    expect(parseSessionKey(raw)).toMatchObject({ ok: true })
  })

  test.each([
    ['nothing', ''],
    ['a mistyped checksum', address.replace('7099', '7098')],
    ['too few digits', '0x7099'],
    ['a point that is not on the curve', `0x04${x}${y.replace(/5$/, '6')}`],
    ['a compressed point', `0x03${x}`],
    ['a private key', `0x${x}`],
  ])('error: %s', (_, text) => {
    expect(parseSessionKey(text)).toMatchObject({ ok: false })
  })
})
