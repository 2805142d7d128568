import {
  decodeAbiParameters,
  hexToBytes,
  hexToString,
  numberToBytes,
  recoverAddress,
  size,
  slice,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { SoftwareAuthenticator } from '../../test/software-authenticator.ts'
import { encodeWebAuthnSignature, isScalar } from '../signers/passkey/signature.ts'
import { decodeSignature, encodeSignature, stubSignature } from './operation.ts'

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

const hash = `0x${'11'.repeat(32)}` as const

describe('stubSignature', () => {
  test("behavior: an EOA's stub recovers to an address", async () => {
    const { signatures } = decodeSignature(stubSignature({ kind: 'eoa' }))
    expect(size(signatures)).toBe(65)
    expect(await recoverAddress({ hash, signature: signatures })).toMatch(/^0x/)
  })

  test("behavior: a passkey's stub is as long as Chrome's longest signature on a long origin", () => {
    const authenticator = new SoftwareAuthenticator({
      origin: `https://${'a'.repeat(63)}.${'b'.repeat(36)}.example`,
      extraClientData: {
        other_keys_can_be_added_here:
          'do not compare clientDataJSON against a template. See https://goo.gl/yabPex',
      },
    })
    const assertion = authenticator.get({ challenge: Buffer.from(hash.slice(2), 'hex') })
    const real = encodeWebAuthnSignature({ hash, assertion })
    const { signatures } = decodeSignature(stubSignature({ kind: 'passkey' }))
    expect(real.ok && size(real.signature)).toBeLessThanOrEqual(size(signatures))
  })

  test('args: validAfter, validUntil, signer', () => {
    const signer = `0x${'5a'.repeat(20)}` as const
    const stub = decodeSignature(stubSignature({ kind: 'passkey' }, { validAfter: 1, validUntil: 2, signer }))
    expect(stub).toMatchObject({ validAfter: 1, validUntil: 2 })
    expect(slice(stub.signatures, 12, 32)).toBe(signer)
  })

  test("behavior: a passkey's stub costs as much as the most expensive real signature: it has no zero bytes, and r and s are in range", () => {
    const { signatures } = decodeSignature(stubSignature({ kind: 'passkey' }))
    const [authenticatorData, fields, r, s] = decodeAbiParameters(
      [{ type: 'bytes' }, { type: 'bytes' }, { type: 'uint256' }, { type: 'uint256' }],
      slice(signatures, 97),
    )
    expect(size(authenticatorData)).toBe(37)
    expect(hexToBytes(authenticatorData)).not.toContain(0)
    expect(hexToBytes(authenticatorData)[32]).toBe(0x05)
    expect(hexToString(fields)).toMatch(/^"origin":".*"$/)
    expect(size(fields)).toBe(256)
    for (const number of [r, s]) {
      expect(isScalar(number)).toBe(true)
      expect(numberToBytes(number, { size: 32 })).not.toContain(0)
    }
  })
})
