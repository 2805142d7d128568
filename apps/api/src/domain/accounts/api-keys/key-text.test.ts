import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { callerName } from './api-key.ts'
import { hashKey, isSameHash, keyIdOf, newKeyText } from './key-text.ts'

test.each(['secret', 'publishable'] as const)('newKeyText: %s', (kind) => {
  const made = newKeyText(kind)
  const beginning = kind === 'secret' ? 'lk_secret_' : 'lk_public_'
  expect(made.id).toMatch(new RegExp(`^${beginning}[\\w-]{8}$`))
  expect(made.key).toMatch(new RegExp(`^${made.id}[\\w-]{43}$`))
  expect(made.hash).toBe(hashKey(made.key))
  expect(keyIdOf(made.key)).toBe(made.id)
  expect(newKeyText(kind).key).not.toBe(made.key)
})

test('hashKey: SHA-256', () => {
  expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(hashKey('lk_secret_')).toBe(createHash('sha256').update('lk_secret_').digest('hex'))
})

describe('keyIdOf', () => {
  const { key } = newKeyText('secret')

  test.each([
    '',
    'lk_secret_',
    key.slice(0, -1),
    `${key}x`,
    ` ${key}`,
    key.replace('secret', 'other'),
    `${key.slice(0, -1)}!`,
  ])('behavior: "%s" does not have the form of a key', (text) => {
    expect(keyIdOf(text)).toBeUndefined()
  })
})

test('isSameHash', () => {
  const hash = hashKey('one')
  expect(isSameHash(hash, hashKey('one'))).toBe(true)
  expect(isSameHash(hash, hashKey('other'))).toBe(false)
  expect(isSameHash(hash, `${hash.slice(0, -1)}${hash.endsWith('0') ? '1' : '0'}`)).toBe(false)
})

test('callerName: a publishable key never has the caller name of a secret key', () => {
  expect(callerName({ kind: 'secret', name: 'app', origins: [] })).toBe('app')
  expect(callerName({ kind: 'publishable', name: 'app', origins: [] })).toBe('public:app')
})
