import { sessionKeysAbi } from '@lanyard/onchain'
import { describe, expect, test } from 'vitest'
import { describeRejection } from './describe-rejection.ts'

describe('describeRefusal', () => {
  test('default', () => {
    expect(describeRejection('AllowanceExceeded', '').title).toContain('more than is left')
  })

  test("behavior: an unknown refusal keeps the service's message", () => {
    for (const rule of ['SomethingNew', undefined, 7])
      expect(describeRejection(rule, 'The original message.').title).toBe('The original message.')
  })

  test.each([
    'AllowanceExceeded',
    'CallNotAllowed',
    'ForbiddenTarget',
    'ValueTooHigh',
    'OperationsExhausted',
    'FeeTooHigh',
    'NoSession',
    'SessionNotInForce',
    'OutsideValidity',
    'CallFailed',
  ])('behavior: %s is an error of the contract and has a message', (rule) => {
    expect(sessionKeysAbi.some((item) => item.type === 'error' && item.name === rule)).toBe(true)
    expect(describeRejection(rule, 'The original message.').title).not.toBe('The original message.')
  })
})
