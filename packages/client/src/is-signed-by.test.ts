import { SoftwareAuthenticator } from '@lanyard/accounts/testing'
import { randomBytes } from '@lanyard/testing'
import { describe, expect, test } from 'vitest'
import { isSignedBy } from './is-signed-by.ts'

describe('isSignedBy', () => {
  test('behavior: accepts only its own key, whatever the length of r and s', async () => {
    const [own, other] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()]
    // One r or s in 128 has leading zero bytes.
    for (let count = 0; count < 300; count++) {
      const challenge = randomBytes(32)
      const { response } = own.toJson(own.get({ challenge }))
      expect(await isSignedBy(own.publicKey, response)).toBe(true)
      expect(await isSignedBy(other.publicKey, response)).toBe(false)
    }
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
