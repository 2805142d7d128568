import { SoftwareAuthenticator } from '@lanyard/accounts/testing'
import { randomBytes } from '@lanyard/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isSignedBy } from './is-signed-by.ts'

afterEach(() => void vi.unstubAllGlobals())

describe('isSignedBy', () => {
  test('default: works without WebCrypto, which React Native does not have', async () => {
    const [own, other] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()]
    const { response } = own.toJson(own.get({ challenge: randomBytes(32) }))
    vi.stubGlobal('crypto', undefined)
    expect(await isSignedBy(own.publicKey, response)).toBe(true)
    expect(await isSignedBy(other.publicKey, response)).toBe(false)
  })

  test('behavior: accepts only its own key, whatever the length of r and s', async () => {
    const [own, other] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()]
    // One r or s in 128 has leading zero bytes: its DER is shorter than 70 bytes.
    const lengths = new Set<number>()
    for (let count = 0; count < 3_000 && lengths.size < 4; count++) {
      const { response } = own.toJson(own.get({ challenge: randomBytes(32) }))
      const { length } = Buffer.from(response.signature, 'base64url')
      if (lengths.has(length)) continue
      lengths.add(length)
      expect(await isSignedBy(own.publicKey, response)).toBe(true)
      expect(await isSignedBy(other.publicKey, response)).toBe(false)
    }
    expect(Math.min(...lengths)).toBeLessThan(70)
  })

  test('behavior: rejects bytes that were not signed', async () => {
    const own = new SoftwareAuthenticator()
    const [first, second] = [1, 2].map(
      (byte) => own.toJson(own.get({ challenge: new Uint8Array(32).fill(byte) })).response,
    )
    if (!first || !second) return expect.unreachable()
    const { clientDataJSON } = second
    expect(await isSignedBy(own.publicKey, { ...first, clientDataJSON })).toBe(false)
    expect(await isSignedBy(own.publicKey, { ...first, signature: 'AAAA' })).toBe(false)
  })
})
