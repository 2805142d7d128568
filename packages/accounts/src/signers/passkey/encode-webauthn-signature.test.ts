import { bytesToHex, decodeAbiParameters, hexToString, slice } from 'viem'
import { describe, expect, test } from 'vitest'
import { SoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { safeDeployment } from '../../safe/deployment/deployment.ts'
import { encodeWebAuthnSignature } from './encode-webauthn-signature.ts'
import { parseDerSignature } from './parse-der-signature.ts'

const hash = `0x${'fb'.repeat(32)}` as const // its base64url contains both - and _
const challenge = Buffer.from(hash.slice(2), 'hex')
const authenticator = new SoftwareAuthenticator()
const assertion = authenticator.get({ challenge })

describe('encodeWebAuthnSignature', () => {
  test('default', () => {
    const result = encodeWebAuthnSignature({ hash, assertion })
    if (!result.ok) throw new Error(result.message)
    expect(slice(result.signature, 12, 32)).toBe(safeDeployment.sharedSigner.toLowerCase())
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
    expect(encodeWebAuthnSignature({ hash, assertion: other })).toMatchObject({ code: 'CHALLENGE_MISMATCH' })
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
