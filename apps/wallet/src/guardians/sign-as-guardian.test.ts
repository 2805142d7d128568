import { computeSignerAddress, defaultVerifiers } from '@lanyard/accounts'
import { expect, test } from 'vitest'
import { namePasskey } from '../signers/passkey/name-passkey.ts'
import { passkeyOf } from './sign-as-guardian.ts'

/** The base point of P-256 (FIPS 186-4, D.1.2.3). */
const key = {
  kind: 'passkey',
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  verifiers: defaultVerifiers,
} as const

test('default: the passkey from which the address follows', () => {
  const guardian = computeSignerAddress(key)
  expect(passkeyOf({ guardian, key: namePasskey(key) })).toEqual(key)
  expect(passkeyOf({ guardian, key: undefined })).toBeUndefined()
})

test('error: the passkey of another address', () => {
  const guardian = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  expect(() => passkeyOf({ guardian, key: namePasskey(key) })).toThrow(
    expect.objectContaining({ code: 'CALLS_DIFFER' }),
  )
})

test('error: a signer contract with verifiers of the service, which could accept what the passkey never signed', () => {
  const other = { ...key, verifiers: 1n }
  const guardian = computeSignerAddress(other)
  expect(() => passkeyOf({ guardian, key: namePasskey(other) })).toThrow(
    expect.objectContaining({ code: 'CALLS_DIFFER' }),
  )
})
