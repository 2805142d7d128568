import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { parseKeySource, publishedAddress } from './key-source.ts'

/** PUBLIC key: anvil's first. */
const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const { address, publicKey } = privateKeyToAccount(privateKey)
const bare = publicKey.slice(4)

test('args: a private key', () => {
  const source = parseKeySource(privateKey)
  expect(source).toEqual({ kind: 'inline', privateKey })
  expect(source && publishedAddress(source)).toBe(address)
})

test('args: keystore:<path>', () => {
  const source = parseKeySource('keystore:/run/secrets/operator.json')
  expect(source).toEqual({ kind: 'keystore', path: '/run/secrets/operator.json' })
  expect(source && publishedAddress(source)).toBeUndefined()
})

test('args: remote:<address>, remote:<public key>', () => {
  expect(parseKeySource(`remote:${address}`)).toEqual({ kind: 'remote', address })
  expect(parseKeySource(`remote:${address.toLowerCase()}`)).toEqual({ kind: 'remote', address })
  expect(parseKeySource(`remote:0x${bare.toUpperCase()}`)).toEqual({
    kind: 'remote',
    address,
    publicKey: `0x${bare}`,
  })
})

test.each([
  '',
  '0x12',
  privateKey.slice(2),
  'keystore:',
  'remote:',
  'remote:0x12',
  `remote:${address.replace('F', 'f')}`, // mixed case is a checksum
  `remote:${privateKey}`, // a private key in the wrong place
  'kms:alias/operator',
])('error: %j is not a key source', (text) => {
  expect(parseKeySource(text)).toBeUndefined()
})
