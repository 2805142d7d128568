import { expect, test } from 'vitest'
import { readChallenge } from './client-data.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const frame = 'in a frame of another origin'
const noChallenge = 'no base64url challenge'

test.each<[string, object]>([
  ['abc-_', { challenge: 'abc-_' }],
  ['abc', { challenge: 'abc', type: 'webauthn.get', crossOrigin: false, whatever: [1] }],
  ['A'.repeat(1364), { challenge: 'A'.repeat(1364) }],
])('default: %s is accepted', (challenge, members) => {
  expect(readChallenge(encode(members))).toBe(challenge)
})

test('behavior: a byte order mark is dropped', () => {
  const marked = Buffer.from('\ufeff{"challenge":"abc"}').toString('base64url')
  expect(readChallenge(marked)).toBe('abc')
})

test.each<[string, unknown]>([
  [frame, { challenge: 'abc', crossOrigin: true }],
  [frame, { challenge: 'abc', crossOrigin: 'false' }],
  [frame, { challenge: 'abc', crossOrigin: null }],
  [frame, { challenge: 'abc', topOrigin: 'https://example.org' }],
  [noChallenge, {}],
  [noChallenge, null],
  [noChallenge, []],
  [noChallenge, 'abc'],
  [noChallenge, { challenge: '' }],
  [noChallenge, { challenge: 7 }],
  [noChallenge, { challenge: 'a=' }],
  [noChallenge, { challenge: '=a' }],
  [noChallenge, { challenge: 'a b' }],
  [noChallenge, { challenge: 'A'.repeat(1365) }],
])('error: %s: %j', (message, members) => {
  expect(() => readChallenge(encode(members))).toThrow(
    expect.objectContaining({ code: 'VERIFICATION_FAILED', message: expect.stringContaining(message) }),
  )
})

test.each([
  ['text that is not JSON', Buffer.from('{"challenge":"abc"')],
  ['bytes that are not UTF-8', Buffer.from('{"challenge":"abc","x":"\xff"}', 'latin1')],
  ['nothing', Buffer.alloc(0)],
])('error: %s', (_, bytes) => {
  expect(() => readChallenge(bytes.toString('base64url'))).toThrow(
    expect.objectContaining({
      code: 'VERIFICATION_FAILED',
      message: expect.stringContaining('not UTF-8 JSON'),
      cause: expect.anything(),
    }),
  )
})
