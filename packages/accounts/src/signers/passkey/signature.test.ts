import { numericSeed } from '@lanyard/testing'
import fc from 'fast-check'
import { bytesToHex, decodeAbiParameters, hexToBytes, hexToString, slice } from 'viem'
import { describe, expect, test } from 'vitest'
import { SoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { defaultDeployment } from '../../safe/deployment.ts'
import { p256Order } from './public-key.ts'
import { encodeWebAuthnSignature, parseDerSignature } from './signature.ts'

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

const hash = `0x${'fb'.repeat(32)}` as const // its base64url contains both - and _
const challenge = Buffer.from(hash.slice(2), 'hex')
const authenticator = new SoftwareAuthenticator()
const assertion = authenticator.get({ challenge })

describe('encodeWebAuthnSignature', () => {
  test('default', () => {
    const result = encodeWebAuthnSignature({ hash, assertion })
    if (!result.ok) throw new Error(result.message)
    expect(slice(result.signature, 12, 32)).toBe(defaultDeployment.sharedSigner.toLowerCase())
    const [authenticatorData, fields, r, s] = decodeAbiParameters(
      [{ type: 'bytes' }, { type: 'bytes' }, { type: 'uint256' }, { type: 'uint256' }],
      slice(result.signature, 97),
    )
    expect(authenticatorData).toBe(bytesToHex(assertion.authenticatorData))
    expect(hexToString(fields)).toBe('"origin":"http://localhost:3000","crossOrigin":false')
    expect({ r, s }).toEqual(parseDerSignature(assertion.signature))
  })

  test('args: hex strings, and r and s', () => {
    const rs = parseDerSignature(assertion.signature)
    if (rs === undefined) throw new Error('node:crypto writes DER')
    const asHex = {
      authenticatorData: bytesToHex(assertion.authenticatorData),
      clientDataJSON: bytesToHex(assertion.clientDataJSON),
      signature: rs,
    }
    expect(encodeWebAuthnSignature({ hash, assertion: asHex })).toEqual(
      encodeWebAuthnSignature({ hash, assertion }),
    )
    const signature = bytesToHex(assertion.signature)
    expect(encodeWebAuthnSignature({ hash, assertion: { ...assertion, signature } })).toEqual(
      encodeWebAuthnSignature({ hash, assertion }),
    )
  })

  test('args: signer', () => {
    const signer = `0x${'5a'.repeat(20)}` as const
    const result = encodeWebAuthnSignature({ hash, assertion, signer })
    expect(result.ok && slice(result.signature, 12, 32)).toBe(signer)
  })

  test('error: CLIENT_DATA_ORDER', () => {
    const reordered = authenticator.get({ challenge, standardOrder: false })
    expect(encodeWebAuthnSignature({ hash, assertion: reordered })).toMatchObject({
      code: 'CLIENT_DATA_ORDER',
    })
  })

  test.each([
    ['spaces', (json: string) => json.replaceAll(',', ', ')],
    ['text after the end', (json: string) => `${json} `],
    ['nothing after the challenge', (json: string) => json.replace(/,"origin".*/, '}')],
  ])('error: CLIENT_DATA_ORDER, %s', (_, change) => {
    const clientDataJSON = Buffer.from(change(Buffer.from(assertion.clientDataJSON).toString()))
    expect(encodeWebAuthnSignature({ hash, assertion: { ...assertion, clientDataJSON } })).toMatchObject({
      code: 'CLIENT_DATA_ORDER',
    })
  })

  test('error: CHALLENGE_MISMATCH', () => {
    const other = authenticator.get({ challenge: Buffer.alloc(32) })
    expect(encodeWebAuthnSignature({ hash, assertion: other })).toMatchObject({
      code: 'CHALLENGE_MISMATCH',
    })
  })

  test.each([
    ...['', 'null', '7', '"webauthn.get"', '[]', '{"type":"webauthn.create"}', '\xff'],
    `${Buffer.from(assertion.clientDataJSON).toString().slice(0, -1)},"more":"\xff"}`,
  ])('error: MALFORMED_CLIENT_DATA, %j', (text) => {
    const clientDataJSON = Buffer.from(text, 'latin1')
    expect(encodeWebAuthnSignature({ hash, assertion: { ...assertion, clientDataJSON } })).toMatchObject({
      code: 'MALFORMED_CLIENT_DATA',
    })
  })

  test('error: USER_NOT_VERIFIED', () => {
    const unverified = authenticator.get({ challenge, userVerified: false })
    expect(encodeWebAuthnSignature({ hash, assertion: unverified })).toMatchObject({
      code: 'USER_NOT_VERIFIED',
    })
  })

  test('error: MALFORMED_AUTHENTICATOR_DATA', () => {
    const short = { ...assertion, authenticatorData: assertion.authenticatorData.subarray(0, 36) }
    expect(encodeWebAuthnSignature({ hash, assertion: short })).toMatchObject({
      code: 'MALFORMED_AUTHENTICATOR_DATA',
    })
  })

  test('error: MALFORMED_SIGNATURE', () => {
    for (const signature of [
      '0x',
      '0x3006020100020101',
      bytesToHex(assertion.signature.subarray(1)),
    ] as const)
      expect(encodeWebAuthnSignature({ hash, assertion: { ...assertion, signature } })).toMatchObject({
        code: 'MALFORMED_SIGNATURE',
      })
    expect(
      encodeWebAuthnSignature({ hash, assertion: { ...assertion, signature: { r: 0n, s: 1n } } }),
    ).toMatchObject({ code: 'MALFORMED_SIGNATURE' })
  })
})
