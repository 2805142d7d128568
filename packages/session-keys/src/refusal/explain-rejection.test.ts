import { sessionKeysAbi as abi } from '@lanyard/onchain'
import {
  type Address,
  concat,
  encodeErrorResult,
  type Hex,
  pad,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { formatAbiItem } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { explainRefusal } from './explain-rejection.ts'

const target: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const failed = (reason: Hex) => encodeErrorResult({ abi, errorName: 'CallFailed', args: [2n, reason] })

describe('explainRefusal', () => {
  test('behavior: every error of the contract has its own explanation', () => {
    const errors = abi.filter((item) => item.type === 'error')
    // Enough zeros for any parameters, including offsets and lengths of 0.
    const zeros = pad('0x', { size: 160 })
    const messages = errors.map(
      (error) => explainRefusal(concat([toFunctionSelector(formatAbiItem(error)), zeros]))?.message,
    )
    expect(messages).not.toContain(undefined)
    expect(new Set(messages).size).toBe(errors.length)
  })

  test('default', () => {
    const data = encodeErrorResult({ abi, errorName: 'CallNotAllowed', args: [1n, target, '0x12345678'] })
    expect(explainRefusal(data)).toEqual({
      rule: 'CallNotAllowed',
      call: 1,
      message: `No rule allows this call of ${target} (0x12345678).`,
    })
  })

  test.each([
    ['NoSession', [target, pad('0x01')], /no session .* revoked, or never granted/],
    ['OutsideValidity', [], /validAfter and validUntil are outside those of the session/],
    ['SessionNotInForce', [1, 2], /from 1 until 2/],
    ['OperationsExhausted', [], /used all of its operations/],
    ['FeeTooHigh', [5n, 3n], /can cost 5 wei, and the session allows 3 wei/],
    ['OtherPaymaster', [target], new RegExp(`does not allow the paymaster ${target}`)],
    ['OtherOperation', [], /not an operation of this session/],
    ['NotSignedByKey', [], /key did not sign/],
    ['MalformedSessionSignature', [], /incomplete/],
    ['NoCalls', [], /has no calls/],
    ['ForbiddenTarget', [target], new RegExp(`^No session may call ${target}`)],
    ['ApprovalRemains', [target, target], new RegExp(`must end with its operation, but ${target} keeps`)],
  ] as const)('behavior: explains %s', (errorName, args, message) => {
    const data = encodeErrorResult({ abi, errorName, args } as Parameters<typeof encodeErrorResult>[0]) // paired above
    const rejection = explainRefusal(data)
    expect(rejection).toEqual({ rule: errorName, message: expect.stringMatching(message) })
    expect(Object.keys(rejection ?? {})).not.toContain('call')
  })

  test('behavior: a value that no rule allows names the call', () => {
    const data = encodeErrorResult({ abi, errorName: 'ValueTooHigh', args: [3n, 5n] })
    expect(explainRefusal(data)).toEqual({
      rule: 'ValueTooHigh',
      message: 'No rule allows a call to send 5 wei.',
      call: 3,
    })
  })

  test('behavior: an error that only a grant can cause is named', () => {
    const data = encodeErrorResult({ abi, errorName: 'OpenApproval', args: [0n] } as never) // whatever its arguments
    expect(explainRefusal(data)?.message).toBe('The session cannot be granted: OpenApproval.')
  })

  test('behavior: explains native and token allowances', () => {
    const exceeded = (token: Address) =>
      explainRefusal(encodeErrorResult({ abi, errorName: 'AllowanceExceeded', args: [token, 5n, 3n] }))
    expect(exceeded(zeroAddress)?.message).toBe(
      'The session has 3 base units of the native token left, but would spend 5.',
    )
    expect(exceeded(target)?.message).toContain(`of ${target} left`)
  })

  test('behavior: explains a failure of the called contract', () => {
    expect(explainRefusal(failed('0x'))).toEqual({
      rule: 'CallFailed',
      call: 2,
      reason: '0x',
      message: 'The session allows the call, but it failed without a reason.',
    })
    const standard = parseAbi(['error Error(string message)', 'error Panic(uint256 code)'])
    const reason = encodeErrorResult({ abi: standard, errorName: 'Error', args: ['no funds'] })
    expect(explainRefusal(failed(reason))?.message).toContain('it failed: no funds')
    const panic = encodeErrorResult({ abi: standard, errorName: 'Panic', args: [17n] })
    expect(explainRefusal(failed(panic))?.message).toContain('panic 17')
    expect(explainRefusal(failed('0x12345678'))?.message).toContain('0x12345678')
  })

  test.each<Hex>(['0x', '0x12', '0x12345678', '0xffffffffffff'])(
    'behavior: undefined for another error: %s',
    (data) => {
      expect(explainRefusal(data)).toBeUndefined()
    },
  )
})
