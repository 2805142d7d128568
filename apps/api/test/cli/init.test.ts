import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readEnv } from '../../src/platform/environment/env.ts'
import { readNetworksFile } from '../../src/platform/network-configs.ts'
import { runInProcess } from './run-in-process.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanyard-init-'))
})
afterEach(() => rm(folder, { recursive: true }))

const given = {
  domain: 'wallet.example.com',
  networks: 'base, base-sepolia',
  database: 'postgresql://lanyard:p$a%23s@db.example/lanyard',
}
const init = (answers: Partial<typeof given>) =>
  runInProcess(
    {},
    'init',
    '--folder',
    folder,
    ...Object.entries(answers).flatMap(([name, value]) => [`--${name}`, value]),
  )

test('default: the service reads both files once they are filled in', async () => {
  const { code, stdout } = await init(given)
  expect(code).toBe(0)
  expect(stdout).toContain('lanyard preflight')
  const file = join(folder, 'lanyard.env')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const text = await readFile(file, 'utf8')
  const settings = parseEnv(text) as Record<string, string>
  expect(settings.DATABASE_URL).toBe(given.database)
  const filled = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      value ||
        (/_RPC_URL/.test(name)
          ? `https://${name.toLowerCase().replaceAll('_', '-')}.example`
          : `0x${'11'.repeat(32)}`),
    ]),
  )
  const env = readEnv({ ...filled, NETWORKS_FILE: join(folder, 'networks.json') })
  expect(env).toMatchObject({
    RP_ID: given.domain,
    ORIGINS: [`https://${given.domain}`],
    NODE_ENV: 'production',
  })
  const networks = await readNetworksFile(join(folder, 'networks.json'), (name) => filled[name])
  expect(networks.map(({ chainId, rpcUrls }) => [chainId, rpcUrls.length])).toEqual([
    [8453, 2],
    [84532, 2],
  ])
  // No two installations sign with one key.
  expect(text).not.toBe(await again())
})

async function again(): Promise<string> {
  await rm(join(folder, 'lanyard.env'))
  await rm(join(folder, 'networks.json'))
  await init(given)
  return readFile(join(folder, 'lanyard.env'), 'utf8')
}

test.each([
  ['a domain with a scheme', { ...given, domain: 'https://wallet.example.com' }, 'without https://'],
  ['an unknown network', { ...given, networks: 'base,basis' }, '"basis"'],
  [
    'a database that ends its line',
    { ...given, database: 'postgresql://a/b\nRELAYER_PRIVATE_KEYS=0x1' },
    'postgresql://',
  ],
  ['a database that ends its quotes', { ...given, database: "postgresql://a'b/c" }, 'postgresql://'],
  ['no answer, and nobody to ask', { domain: given.domain, networks: given.networks }, '--database'],
])('error: %s, and nothing is written', async (_name, answers, hint) => {
  const { code, stderr } = await init(answers)
  expect(code).toBe(2)
  expect(stderr).toContain(hint)
  expect(await readdir(folder)).toEqual([])
})

test('error: it changes no file that is there', async () => {
  await init(given)
  const before = await readFile(join(folder, 'lanyard.env'), 'utf8')
  const { code, stderr } = await init(given)
  expect([code, stderr]).toEqual([2, expect.stringContaining('lanyard.env is here already')])
  expect(await readFile(join(folder, 'lanyard.env'), 'utf8')).toBe(before)
})
