import {
  defaultDeployment,
  encodeContractSignature,
  encodeWebAuthnSignature,
  stubSignature,
} from '@lanyard/accounts'
import { SoftwareAuthenticator } from '@lanyard/accounts/testing'
import { randomBytes } from '@lanyard/testing'
import { bytesToHex, concat, type Hash, type Hex, hexToBytes, size, slice } from 'viem'
import { describe, expect, test } from 'vitest'
import { isPasskeySignature, parseContractSignature } from './verify-contract-signature.ts'

const signer = defaultDeployment.sharedSigner.toLowerCase()
const newHash = (): Hash => bytesToHex(randomBytes(32))

function sign(hash: Hash, authenticator = new SoftwareAuthenticator()) {
  const assertion = authenticator.get({ challenge: hexToBytes(hash) })
  const encoded = encodeWebAuthnSignature({ hash, assertion })
  if (!encoded.ok) throw new TypeError(encoded.message)
  return { authenticator, signatures: encoded.signature }
}

const dataOf = (signatures: Hex): Hex => parseContractSignature(signatures)?.data ?? '0x'

describe('parseContractSignature', () => {
  test('default: decoding is the inverse of encodeContractSignature', () => {
    const { signatures } = sign(newHash())
    const parsed = parseContractSignature(signatures)
    expect(parsed?.signer).toBe(signer)
    expect(encodeContractSignature(defaultDeployment.sharedSigner, parsed?.data ?? '0x')).toBe(signatures)
  })

  test('behavior: other bytes are not a contract signature', () => {
    const { signatures } = sign(newHash())
    const replaced = (start: number, bytes: Hex) =>
      concat([slice(signatures, 0, start), bytes, slice(signatures, start + size(bytes))])
    for (const other of [
      '0x',
      slice(signatures, 0, 97),
      slice(signatures, 0, size(signatures) - 1),
      concat([signatures, '0x00']),
      replaced(0, '0x01'), // larger than an address
      replaced(63, '0x42'), // another offset
      replaced(64, '0x1b'), // v of an EOA
      `0x${'11'.repeat(65)}`,
    ] as const)
      expect(parseContractSignature(other)).toBeUndefined()
  })
})

describe('isPasskeySignature', () => {
  test("default: a passkey's signature over the hash is valid", () => {
    const hash = newHash()
    const { authenticator, signatures } = sign(hash)
    expect(isPasskeySignature(hash, dataOf(signatures), authenticator.publicKey)).toBe(true)
  })

  test('behavior: a signature over another hash or of another passkey is invalid', () => {
    const hash = newHash()
    const { authenticator, signatures } = sign(hash)
    const data = dataOf(signatures)
    expect(isPasskeySignature(newHash(), data, authenticator.publicKey)).toBe(false)
    expect(isPasskeySignature(hash, data, new SoftwareAuthenticator().publicKey)).toBe(false)
  })

  test('behavior: a signature with any changed byte of the assertion is invalid', () => {
    const hash = newHash()
    const { authenticator, signatures } = sign(hash)
    const bytes = hexToBytes(dataOf(signatures))
    // Offsets of the ABI encoding: authenticator data starts at 160, and r and s are in the head.
    for (const index of [64 + 31, 96 + 31, 160, 160 + 32]) {
      const changed = Uint8Array.from(bytes, (byte, at) => (at === index ? byte ^ 0x01 : byte))
      expect(isPasskeySignature(hash, bytesToHex(changed), authenticator.publicKey), `byte ${index}`).toBe(
        false,
      )
    }
  })

  test('behavior: a signature without user verification is invalid', () => {
    const hash = newHash()
    const authenticator = new SoftwareAuthenticator()
    const unverified = authenticator.get({ challenge: hexToBytes(hash), userVerified: false })
    const signed = encodeWebAuthnSignature({
      hash,
      // The encoder requires the flag, so it is set here and removed below.
      assertion: {
        ...unverified,
        authenticatorData: Uint8Array.from(unverified.authenticatorData, (byte, at) =>
          at === 32 ? byte | 4 : byte,
        ),
      },
    })
    if (!signed.ok) throw new TypeError(signed.message)
    const data = hexToBytes(dataOf(signed.signature))
    const flags = 160 + 32
    expect(data[flags]).toBe(0x05)
    data[flags] = 0x01
    expect(isPasskeySignature(hash, bytesToHex(data), authenticator.publicKey)).toBe(false)
  })

  test('behavior: a stub or an invalid encoding is invalid for every passkey', () => {
    const { publicKey } = new SoftwareAuthenticator()
    const stub: Hex = `0x${stubSignature({ kind: 'passkey' }).slice(26)}`
    for (const data of [dataOf(stub), '0x', '0x1234', `0x${'ff'.repeat(200)}`] as const)
      expect(isPasskeySignature(newHash(), data, publicKey)).toBe(false)
  })
})
