// @promise 2
import { endpoints, errorTable, LanyardError } from '@lanyard/contracts'
import { describe, expect, test } from 'vitest'
import { hashRequest } from './idempotently.ts'
import { requireIdempotencyKey, requireSingleCall, takesIdempotencyKey } from './key-format.ts'
import { replay, storeError, storeOutput } from './stored-answer.ts'

const rejected = expect.objectContaining({
  code: 'INVALID_INPUT',
  issues: [{ path: 'Idempotency-Key', message: expect.any(String) }],
})

test('requireIdempotencyKey: 1 to 255 visible ASCII characters', () => {
  for (const key of ['a', '!', '~', '"quoted"', 'x'.repeat(255)])
    expect(() => requireIdempotencyKey(key)).not.toThrow()
  for (const key of ['', ' ', 'a b', 'a, b', 'x'.repeat(256), 'é', 'a\n', '\x7f', ' a'])
    expect(() => requireIdempotencyKey(key)).toThrow(rejected)
})

test('requireSingleCall', () => {
  expect(() => requireSingleCall(1)).not.toThrow()
  expect(() => requireSingleCall(2)).toThrow(rejected)
})

describe('hashRequest', () => {
  test('default: the hash is independent of member order and covers amounts of any length', () => {
    const hash = hashRequest({ a: 1n, b: { c: 2, d: [3] } })
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(hashRequest({ b: { d: [3], c: 2 }, a: 1n })).toBe(hash)
    expect(hashRequest({ a: 2n ** 64n })).not.toBe(hashRequest({ a: 2n ** 64n + 1n }))
  })

  test('behavior: different inputs have different hashes', () => {
    const inputs = [{}, { a: 1 }, { a: '1' }, { a: 2 }, { b: 1 }, { a: [1] }, { a: null }, [], undefined]
    expect(new Set(inputs.map(hashRequest)).size).toBe(inputs.length)
  })

  test('behavior: an absent input has a fixed hash', () => {
    // The SHA-256 of no bytes is fixed because stored hashes are compared with it.
    expect(hashRequest(undefined)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })
})

test('isLasting: errors that the same request always gets', () => {
  const lasting = [
    'NOTHING_TO_DO',
    'SIGNATURE_OVER_TEXT',
    'SIGNATURE_COMPACT',
    'SIGNATURE_MALLEABLE',
    'UNSUPPORTED_SIGNATURE_TYPE',
    'NOT_REPLACEABLE',
  ] as const
  expect(lasting.filter((code) => errorTable[code].isLasting)).toEqual(lasting)
  const passing = [
    'INVALID_SIGNATURE',
    'INSUFFICIENT_FUNDS',
    'INCLUSION_TIMEOUT',
    'NETWORK_UNAVAILABLE',
    'INTERNAL',
  ] as const
  expect(passing.filter((code) => errorTable[code].isLasting)).toEqual([])
  // A build a moment later may succeed, and a dropped operation may still be included.
  expect(errorTable.REBUILD.isLasting).toBe(false)
})

describe('stored answers', () => {
  test('default: a stored output is returned', () => {
    const output = { hash: '0x', list: [1] }
    expect(replay(storeOutput(output, {}), {})).toEqual(output)
  })

  test('behavior: a stored error is thrown again with its original request id', () => {
    const error = new LanyardError('INVALID_INPUT', {
      message: 'So it is.',
      issues: [{ path: 'a', message: 'b' }],
      details: { c: 'd' },
      cause: 'a secret of the log',
    })
    const text = storeError(error, 'request-1', {})
    expect(text).not.toContain('secret')
    expect(() => replay(text, {})).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: 'So it is.',
        issues: [{ path: 'a', message: 'b' }],
        details: { c: 'd' },
        requestId: 'request-1',
      }),
    )
  })

  test('behavior: a stored error may have no issues', () => {
    expect(() => replay(storeError(new LanyardError('REBUILD'), 'request-1', {}), {})).toThrow(
      expect.objectContaining({ code: 'REBUILD', requestId: 'request-1' }),
    )
  })
})

test('takesIdempotencyKey: mutations except ceremonies', () => {
  const { login, smartAccount, webauthn } = endpoints
  for (const endpoint of [smartAccount.build, smartAccount.submit, smartAccount.create])
    expect(takesIdempotencyKey(endpoint)).toBe(true)
  for (const endpoint of [
    login.message,
    login.verify,
    webauthn.authenticateVerify,
    webauthn.credentialVerify,
    webauthn.discoverVerify,
    webauthn.registerVerify,
    smartAccount.status,
  ])
    expect(takesIdempotencyKey(endpoint)).toBe(false)
})
