import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { networkConfig } from './config.ts'
import { networksFileSchema } from './networks-file-schema.ts'

test('behavior: the committed schema matches the sources', async () => {
  const committed = await readFile(new URL('../networks.schema.json', import.meta.url), 'utf8')
  expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(networksFileSchema())))
})

test.for([
  ['http://127.0.0.1:8545', true],
  ['http://127.1.2.3:8545', true],
  ['http://localhost:8545', true],
  ['http://chain.localhost:8545', true],
  ['http://[::1]:8545', true],
  ['https://mainnet.base.org', false],
  ['http://127.0.0.1.example.com', false],
  ['http://localhost.example.com', false],
  ['http://10.0.0.7:8545', false],
] as const)('attack: %s is a local network: %s', ([url, isLocal]) => {
  const parse = (rpcUrls: readonly string[]) =>
    networkConfig.safeParse({ chainId: 1, name: 'Test', rpcUrls, local: true })
  expect(parse([url]).success).toBe(isLocal)
  expect(parse(['http://127.0.0.1:8545', url]).success).toBe(isLocal)
})
