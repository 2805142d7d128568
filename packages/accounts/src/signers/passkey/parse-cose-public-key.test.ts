import { expect, test } from 'vitest'
import { SoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { parseCosePublicKey } from './parse-cose-public-key.ts'

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
