import { BuildVerificationError, LanyardApiError } from '@lanyard/client'
import { errorCodes } from '@lanyard/contracts'
import { describe, expect, test } from 'vitest'
import { isCancelled, LanyardReactError, toReactError } from './react-error.ts'

const service = 'https://accounts.example'
const answered = (body: object, status = 400) => toReactError(new LanyardApiError(status, body), service)

describe('toReactError', () => {
  test.each(errorCodes)("behavior: the service's %s says what to do", (code) => {
    const error = answered({ code, message: 'What happened', requestId: 'r-1' })
    expect(error).toMatchObject({ code, what: 'What happened.', requestId: 'r-1' })
    expect(error.advice).toMatch(/\.$/)
    expect(error.message).toBe(`${error.what} ${error.advice}`)
  })

  test('behavior: a code that this package does not explain links to its documentation', () => {
    expect(answered({ code: 'LANES_EXHAUSTED', message: 'Full.' }).advice).toContain(
      'https://accounts.example/docs/errors#LANES_EXHAUSTED',
    )
  })

  test('behavior: malformed input names the first invalid field', () => {
    const issues = [{ path: 'username', message: 'At most 64 characters' }]
    expect(answered({ code: 'INVALID_INPUT', message: '-', issues }).what).toBe(
      'username: At most 64 characters.',
    )
  })

  test("behavior: keeps the service's figures", () => {
    expect(answered({ code: 'INSUFFICIENT_FUNDS', message: '-', missing: '7' }).details).toEqual({
      missing: '7',
    })
  })

  test.each([
    ['SecurityError', 'WRONG_ORIGIN'],
    ['InvalidStateError', 'PASSKEY_EXISTS'],
    ['NotSupportedError', 'PASSKEY_REFUSED'],
    ['ConstraintError', 'PASSKEY_REFUSED'],
    ['OperationError', 'UNEXPECTED'],
  ])("behavior: the browser's %s becomes %s", (name, code) => {
    const cause = new DOMException('', name)
    expect(toReactError(cause, service)).toMatchObject({ code, cause })
    expect(toReactError(Object.assign(new Error('wrapped'), { cause }), service).code).toBe(code)
  })

  test('behavior: distinguishes a wrong build from a fee above the limit', () => {
    expect(toReactError(new BuildVerificationError('userOp.callData', '-'), service).code).toBe(
      'NOT_VERIFIED',
    )
    expect(toReactError(new BuildVerificationError('userOp.maxFeePerGas', '-'), service).code).toBe(
      'TOO_EXPENSIVE',
    )
  })

  test('behavior: anything else is UNEXPECTED', () => {
    expect(toReactError('?', service)).toMatchObject({ code: 'UNEXPECTED', cause: '?' })
  })
})

describe('isCancelled', () => {
  test.each(['NotAllowedError', 'AbortError'])('behavior: %s is an ordinary outcome', (name) => {
    const cause = new DOMException('', name)
    expect(isCancelled(cause)).toBe(true)
    expect(isCancelled(Object.assign(new Error('wrapped'), { cause }))).toBe(true)
  })

  test('behavior: false for an error of this package, whatever its cause', () => {
    const cause = new DOMException('', 'AbortError')
    expect(isCancelled(new LanyardReactError('UNREACHABLE', { cause }))).toBe(false)
  })
})
