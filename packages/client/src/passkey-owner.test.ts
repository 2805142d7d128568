import { generateKeyPairSync } from 'node:crypto'
import { defaultVerifiers } from '@lanyard/accounts'
import { expect, test } from 'vitest'
import { passkeyOwner } from './passkey-owner.ts'

const registrationOf = (namedCurve: string) => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return { publicKey, registration: { response: { publicKey: spki.toString('base64url') } } }
}

test('default', () => {
  const { publicKey, registration } = registrationOf('P-256')
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const toBigInt = (text: string) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)
  expect(passkeyOwner(registration)).toEqual({
    kind: 'passkey',
    x: toBigInt(x),
    y: toBigInt(y),
    verifiers: defaultVerifiers,
  })
})

test('behavior: undefined for a key on another curve, and without a key', () => {
  expect(passkeyOwner(registrationOf('secp256k1').registration)).toBeUndefined()
  expect(passkeyOwner({ response: {} })).toBeUndefined()
  expect(passkeyOwner(registrationOf('P-384').registration)).toBeUndefined()
})

test('behavior: undefined unless an uncompressed point follows the 26-byte header', () => {
  const spki = Buffer.from(registrationOf('P-256').registration.response.publicKey, 'base64')
  const compressed = Buffer.from(spki)
  compressed[26] = 2
  for (const bytes of [compressed, spki.subarray(0, -1), Buffer.concat([spki, Buffer.alloc(1)])])
    expect(passkeyOwner({ response: { publicKey: bytes.toString('base64url') } })).toBeUndefined()
})

test('behavior: undefined for an attestation without a key of this form', () => {
  for (const hex of ['', 'a0', '686175746844617461', `68617574684461746158${'ff'.repeat(60)}`])
    expect(
      passkeyOwner({ response: { attestationObject: Buffer.from(hex, 'hex').toString('base64url') } }),
    ).toBeUndefined()
})

test.each([null, '', '?', 'AAAAA', 'a b'])(
  'behavior: a public key %j is as if there were none',
  (publicKey) => {
    expect(passkeyOwner({ response: { publicKey } })).toBeUndefined()
    expect(passkeyOwner({ response: { publicKey, attestationObject: publicKey } })).toBeUndefined()
  },
)
