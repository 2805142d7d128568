import { expect, test } from 'vitest'
import { invitationUrl, readInvitation } from '../src/protocol.ts'

const nonce = '0123456789abcdef'.repeat(2)
const origin = 'https://app.example'

test('default: an invitation is unchanged after a round trip through its URL', () => {
  const url = invitationUrl('https://wallet.example', { nonce, origin })
  expect(readInvitation(new URL(url).hash)).toEqual({ nonce, origin })
})

test.each([
  ['another version', `v=2&nonce=${nonce}&origin=${origin}`],
  ['a short nonce', `v=1&nonce=abc&origin=${origin}`],
  ['no origin', `v=1&nonce=${nonce}`],
  ['a wildcard origin', `v=1&nonce=${nonce}&origin=*`],
  ['an opaque origin', `v=1&nonce=${nonce}&origin=null`],
  ['a URL instead of an origin', `v=1&nonce=${nonce}&origin=${origin}/path`],
  ['a script', `v=1&nonce=${nonce}&origin=javascript:alert(1)`],
  ['nothing', ''],
])('error: %s is not an invitation', (_name, fragment) => {
  expect(readInvitation(`#${fragment}`)).toBe(undefined)
})
