// @vitest-environment happy-dom
import { defaultVerifiers, getRecoveryHash, recoveryTypedData } from '@lanyard/accounts'
import { hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { account, friend } from '../../test/render-wallet.tsx'
import { readRecoveryLink, recoveryLink } from './recovery-link.ts'
import { textOf } from './sign-recovery.ts'
import { spokenWords } from './spoken-words.ts'

/** The base point of P-256 (FIPS 186-4, D.1.2.3), and its double. */
const x = 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n
const y = 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n
const newOwner = { kind: 'passkey', x, y, verifiers: defaultVerifiers } as const
const request = { account, newOwner }

describe('readRecoveryLink', () => {
  test('default: reads what recoveryLink writes', () => {
    expect(readRecoveryLink(new URL(recoveryLink(request)).hash)).toEqual(request)
  })

  test.each([
    '',
    '#account=0x12&key=0x34',
    `#account=${account}`,
    `#account=${account}&key=${friend}`,
    `#account=${account}&key=0x${'11'.repeat(86)}`,
  ])('error: %s is no request', (hash) => {
    expect(readRecoveryLink(hash)).toBeUndefined()
  })
})

describe('spokenWords', () => {
  test('default: six words that stay the same', () => {
    expect(spokenWords(request)).toEqual(spokenWords({ account, newOwner: { ...newOwner } }))
    expect(spokenWords(request)).toHaveLength(6)
  })

  test('behavior: another account, or another passkey, has other words', () => {
    const negated = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn - y
    const all = [
      spokenWords(request),
      spokenWords({ ...request, account: friend }),
      spokenWords({ ...request, newOwner: { ...newOwner, y: negated } }),
    ].map((words) => words.join(' '))
    expect(new Set(all).size).toBe(3)
  })
})

test('behavior: a recovery as JSON has the hash that guardians sign, although its sequence is a bigint', () => {
  const context = { module: friend, account, sequence: 7n, number: 1n } as const
  const plain = JSON.parse(textOf(recoveryTypedData([newOwner], context)))
  expect(() => JSON.stringify(plain)).not.toThrow()
  expect(hashTypedData(plain)).toBe(getRecoveryHash([newOwner], context))
})
