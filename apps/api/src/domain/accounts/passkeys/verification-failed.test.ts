import { LanyardError } from '@lanyard/contracts'
import { describe, expect, test } from 'vitest'
import { verificationFailed, verifying } from './verification-failed.ts'

test('verificationFailed', () => {
  expect(verificationFailed('so it is.', 'why')).toMatchObject({
    code: 'VERIFICATION_FAILED',
    message: 'The ceremony could not be verified: so it is.',
    cause: 'why',
  })
})

describe('verifying', () => {
  const failing = (error: unknown) =>
    verifying(() => {
      throw error
    })

  test('default: a result passes unchanged', async () => {
    expect(await verifying(() => 7)).toBe(7)
    expect(await verifying(async () => 7)).toBe(7)
  })

  test('behavior: errors of the service pass unchanged', async () => {
    const error = new LanyardError('UNKNOWN_USER')
    await expect(failing(error)).rejects.toBe(error)
  })

  test('behavior: the message of a plain error is kept', async () => {
    const error = new Error('Unexpected challenge')
    await expect(failing(error)).rejects.toMatchObject({
      code: 'VERIFICATION_FAILED',
      message: expect.stringContaining('Unexpected challenge.'),
      cause: error,
    })
    await expect(failing(new Error('x'.repeat(299)))).rejects.toMatchObject({
      message: expect.stringContaining('xxx.'),
    })
  })

  test.each([new TypeError('b is undefined'), new Error('x'.repeat(300)), 'text'])(
    'behavior: an error of the JavaScript engine is hidden from callers: %s',
    async (error) => {
      await expect(failing(error)).rejects.toMatchObject({
        code: 'VERIFICATION_FAILED',
        message: expect.stringMatching(/: the response is malformed\.$/),
        cause: error,
      })
    },
  )
})
