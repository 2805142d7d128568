import { errorCodes } from '@lanyard/contracts'
import { TRPCClientError } from '@trpc/client'
import { describe, expect, test } from 'vitest'
import { describeError, describeReason } from './describe-error.ts'
import { WalletError, type WalletErrorCode, walletErrors } from './wallet-error.ts'

const answered = (data: object) =>
  TRPCClientError.from({ error: { code: -32600, message: "the service's own message", data } })

describe('describeError', () => {
  test.each(errorCodes)('behavior: %s says what to do', (code) => {
    const { title, advice } = describeError(answered({ code, message: 'What happened.', requestId: 'r-1' }))
    expect(title).toMatch(/\.$/)
    expect(advice).toMatch(/\.$/)
  })

  test('behavior: only what no person can cause or mend keeps the words of the service', () => {
    const kept = errorCodes.filter(
      (code) => describeError(answered({ code, message: 'What happened.' })).title === 'What happened.',
    )
    expect(kept).toMatchInlineSnapshot(`
      [
        "INVALID_INPUT",
        "INVALID_JSON",
        "UNSUPPORTED_ACCOUNT_KIND",
        "UNSUPPORTED_SAFE",
        "DELEGATED_ELSEWHERE",
        "INVALID_AUTHORIZATION",
        "SIGNATURE_BY_PERSONAL_SIGN",
        "AMBIGUOUS_WALLET",
        "NOTHING_TO_DO",
        "SIGNATURE_OVER_TEXT",
        "SIGNATURE_COMPACT",
        "SIGNATURE_MALLEABLE",
        "SIGNATURE_OVER_MESSAGE",
        "UNSUPPORTED_SIGNATURE_TYPE",
        "USERNAME_REFUSED",
        "DEPLOYMENT_REFUSED",
        "SESSION_REFUSED",
        "UNKNOWN_ROUTE",
        "METHOD_NOT_ALLOWED",
        "IDEMPOTENCY_MISMATCH",
        "REQUEST_IN_PROGRESS",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "HEADERS_TOO_LARGE",
        "UNSUPPORTED_TRANSFER_ENCODING",
        "INCLUSION_TIMEOUT",
      ]
    `)
  })

  test('behavior: a reason is a sentence for people, by its code', () => {
    expect(describeReason({ code: 'REPLACED', message: 'Its nonce was used by another operation.' })).toBe(
      'Another transaction took its place.',
    )
    expect(describeReason({ code: 'EXECUTION_REVERTED', message: 'Paused()' })).toBe(
      'The contract says: Paused().',
    )
    expect(describeReason({ code: 'NEWER', message: 'Newer.' })).toBe('Newer.')
  })

  test('behavior: an unknown code keeps the message and the request id', () => {
    expect(describeError(answered({ code: 'NEWER', message: 'Newer.', requestId: 'r-1' }))).toMatchObject({
      title: 'Newer.',
      requestId: 'r-1',
    })
  })

  test('behavior: malformed input shows the first issue', () => {
    const issues = [{ path: 'username', message: 'A username has at most 64 characters' }]
    expect(describeError(answered({ code: 'INVALID_INPUT', message: '-', issues })).title).toBe(
      'A username has at most 64 characters.',
    )
  })

  test.each([
    { code: 'UNKNOWN_USER', reason: 'NO_PASSKEY' },
    { code: 'NOT_SUPPORTED_BY_ACCOUNT', type: 'eip7702', use: 'The EOA signs.' },
  ])('behavior: $code of an account without a passkey names the wallet that signs', (answer) => {
    const { title, advice } = describeError(answered(answer))
    expect(title).toBe('This account has no passkey: the key of an address signs for it.')
    expect(advice).toMatch(/the wallet of that address/)
  })

  test('behavior: INSUFFICIENT_FUNDS of the combined balance is not about gas', () => {
    const { title } = describeError(answered({ code: 'INSUFFICIENT_FUNDS', largest: '5', missing: '1' }))
    expect(title).toBe('Your combined balance does not cover this and its fee.')
  })

  test('behavior: INSUFFICIENT_FUNDS names what is missing', () => {
    const { advice } = describeError(
      answered({ code: 'INSUFFICIENT_FUNDS', required: '1', missing: '750000000000000' }),
    )
    expect(advice).toBe('Receive about 0.00075 more of it on this network first, or send less.')
  })

  test('behavior: EXECUTION_REVERTED says why, without API names', () => {
    const answer = { code: 'EXECUTION_REVERTED', message: 'Send allowRevert.', reason: 'Paused()' }
    const { title, advice } = describeError(answered(answer))
    expect(title).toBe('This would fail on the network.')
    expect(advice).toMatch(/The contract says: Paused\(\)\.$/)
  })

  test('behavior: handles a missing answer', () => {
    expect(describeError(TRPCClientError.from(new TypeError('Failed to fetch'))).title).toMatch(
      /is not responding/,
    )
  })

  test('behavior: a cancelled prompt is not a failure', () => {
    const cancelled = new DOMException(
      'The operation either timed out or was not allowed.',
      'NotAllowedError',
    )
    expect(describeError(cancelled)).toMatchObject({ quiet: true })
    expect(describeError(Object.assign(new Error('wrapped'), { cause: cancelled }))).toMatchObject({
      quiet: true,
    })
  })

  test('behavior: a wrong web address names the right one', () => {
    expect(describeError(new DOMException('', 'SecurityError')).advice).toMatch(/localhost/)
  })

  test.each(Object.keys(walletErrors) as WalletErrorCode[])(
    'behavior: %s says that nothing was signed',
    (code) => {
      expect(describeError(new WalletError(code)).advice).toMatch(/Nothing was signed/)
    },
  )

  test('behavior: handles anything else', () => {
    expect(describeError('?').title).toMatch(/unexpected/)
  })
})
