import { SoftwareAuthenticator } from '@lanyard/accounts/testing'
import { randomBytes } from '@lanyard/testing'
import { describe, expect, test } from 'vitest'
import { toRawSignature } from './der-signature.ts'
import { isSignedBy } from './is-signed-by.ts'

describe('isSignedBy', () => {
  test('behavior: its own key, whatever the length of r and s, and no other', async () => {
    const [own, other] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()]
    // An r or s with leading zero bytes is one in 128.
    for (let count = 0; count < 300; count++) {
      const challenge = randomBytes(32)
      const { response } = own.toJson(own.get({ challenge }))
      expect(await isSignedBy(own.publicKey, response)).toBe(true)
      expect(await isSignedBy(other.publicKey, response)).toBe(false)
    }
  })

  test('behavior: other bytes than those that were signed', async () => {
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

describe('toRawSignature', () => {
  test.each([
    ['nothing', ''],
    ['another tag', '3106020101020102'],
    ['a wrong length', '3007020101020102'],
    ['one integer', '3003020101'],
    ['three integers', '3009020101020102020103'],
    ['an integer beyond the end', '3006020101020902'],
    ['an integer of 33 bytes', `30260221${'11'.repeat(33)}020101`],
  ])('error: %s', (_, hex) => {
    expect(toRawSignature(Buffer.from(hex, 'hex'))).toBeUndefined()
  })

  test('default', () => {
    const raw = toRawSignature(Buffer.from('3006020101020102', 'hex'))
    expect(Buffer.from(raw ?? []).toString('hex')).toBe(`${'00'.repeat(31)}01${'00'.repeat(31)}02`)
  })
})
