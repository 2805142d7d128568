import { expect, test } from 'vitest'
import { accountOfSecret } from './account-of-secret.ts'

/** The test mnemonic of Foundry and its first account. */
const words = 'test test test test test test test test test test test junk'
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('behavior: a private key and its twelve words lead to the same account', () => {
  expect(accountOfSecret(`  ${words.toUpperCase().replaceAll(' ', '\n')} `)?.address).toBe(address)
  const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
  expect(accountOfSecret(key)?.address).toBe(address)
  expect(accountOfSecret(` ${key.slice(2).toUpperCase()}\n`)?.address).toBe(address)
  expect(accountOfSecret(`${'abandon '.repeat(23)}art`)).toBeDefined()
})

test.each([
  '',
  '0x12',
  `0x${'0'.repeat(64)}`,
  'f'.repeat(64),
  'test test',
  words.replace('junk', '0x1'),
  `${words} test`,
])('error: %j is no secret of an account', (text) => {
  expect(accountOfSecret(text)).toBeUndefined()
})
