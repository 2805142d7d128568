import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readNetworks } from './networks-file.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-networks-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function file(content: string): Promise<string> {
  const path = join(directory, `${crypto.randomUUID()}.json`)
  await writeFile(path, content)
  return path
}

const variables = new Map([['BASE_RPC_URL', 'https://rpc.example/canary']])
const lookUp = (name: string) => variables.get(name)

test('default: a preset with its RPC address from the environment', async () => {
  const networks = [{ preset: 'base', rpcUrls: ['$'.concat('{BASE_RPC_URL}')] }]
  expect(await readNetworks(await file(JSON.stringify({ networks })), lookUp)).toEqual([
    {
      chainId: 8453,
      name: 'Base',
      rpcUrls: ['https://rpc.example/canary'],
      tokens: ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    },
  ])
})

test.each([
  ['an unset variable', `{"networks":[{"preset":"base","rpcUrls":["$\{OTHER}"]}]}`, 'OTHER is not set'],
  ['no network', '{"networks":[]}', 'At least one network'],
  ['not JSON', 'networks: base', 'cannot be used'],
  ['an unknown preset', '{"networks":[{"preset":"moon","rpcUrls":["https://rpc.example"]}]}', 'preset'],
])('error: USAGE, %s', async (_, content, message) => {
  await expect(readNetworks(await file(content), lookUp)).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining(message),
  })
})

test('error: USAGE, no file', async () => {
  await expect(readNetworks(join(directory, 'none.json'), lookUp)).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('it cannot be read (ENOENT)'),
  })
})
