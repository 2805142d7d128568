/** @module-tag all */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gasPriceOracle } from '@lanyard/networks'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../../src/admin/cli/run-cli.ts'
import { withTerminal } from '../../src/admin/cli/terminal.ts'
import { preflightAtStart } from '../../src/app/preflight-at-start.ts'
import { ConfigurationError } from '../../src/platform/environment/configuration-error.ts'
import { readEnv } from '../../src/platform/environment/env.ts'
import { openKeys } from '../../src/platform/keys/keys.ts'
import { readNetworksFile } from '../../src/platform/network-configs.ts'
import { holders, type Imitation, imitate, settlementToken } from './imitation.ts'

const setUpTimeout = 60_000
const unusedUrl = 'http://127.0.0.1:9/with-a-key-that-nobody-may-see'

let directory: string
let base: Imitation
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-preflight-'))
  base = await imitate('base', {
    code: [{ address: gasPriceOracle, bytecode: '0x366103e8025f5260205ff3' }],
  })
}, setUpTimeout)
afterAll(async () => {
  await base[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

/** The public addresses of the keys. preflight does not open keys. */
const keyVariables = {
  RELAYER_PRIVATE_KEYS: holders.relayers.map((address) => `remote:${address}`).join(','),
  OPERATOR_PRIVATE_KEY: holders.operators.map((address) => `remote:${address}`).join(','),
  SETTLER_PRIVATE_KEY: holders.settlers.map((address) => `remote:${address}`).join(','),
  ATTESTOR_PRIVATE_KEYS: holders.attestors.map((address) => `remote:${address}`).join(','),
}

async function networksFile(...networks: readonly object[]): Promise<string> {
  const path = join(directory, `${crypto.randomUUID()}.json`)
  await writeFile(path, JSON.stringify({ networks }))
  return path
}

describe('lanyard preflight', () => {
  async function run(env: Record<string, string>, ...args: string[]) {
    const written = { stdout: '', stderr: '' }
    const code = await withTerminal(
      {
        env: { ...keyVariables, ...env },
        stdout: (text) => {
          written.stdout += text
        },
        stderr: (text) => {
          written.stderr += text
        },
      },
      () => runCli(['preflight', ...args]),
    )
    return { code, ...written }
  }
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of the file
  const url = '${BASE_RPC_URL}'

  test('default: a correct network with an RPC URL from the environment is ready', async () => {
    const NETWORKS_FILE = await networksFile(base.entry({ rpcUrls: [url, base.rpcUrls[1]] }))
    const { code, stdout, stderr } = await run({ NETWORKS_FILE, BASE_RPC_URL: base.proxy.url })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Base (8453): ready')
    expect(stdout).toMatch(/Ready\.\n$/)
  })

  test('behavior: errors exit with 1 and name the fix', async () => {
    const entry = base.entry({ settlementToken: { address: base.feed, symbol: 'USDC', decimals: 6 } })
    const { code, stdout } = await run({ NETWORKS_FILE: await networksFile(entry) })
    expect(code).toBe(1)
    expect(stdout).toContain('✗ TOKEN_MISSING')
    expect(stdout).toContain('fix       Correct settlementToken of network 8453')
    expect(stdout).toMatch(/1 error\(s\), 0 warning\(s\)\.\n$/)
  })

  test('behavior: warnings alone exit with 0', async () => {
    const NETWORKS_FILE = await networksFile(base.entry({ p256Precompile: false }))
    const { code, stdout } = await run({ NETWORKS_FILE })
    expect(code).toBe(0)
    expect(stdout).toContain('! PRECOMPILE_UNEXPECTED')
  })

  test('args: --json and --network limit the output, which has no RPC URL', async () => {
    const down = { preset: 'polygon', rpcUrls: [unusedUrl] }
    const NETWORKS_FILE = await networksFile(base.entry(), down)
    const { code, stdout } = await run({ NETWORKS_FILE }, '--network', '137', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      errors: 1,
      warnings: 0,
      networks: [{ network: 137, findings: [{ code: 'RPC_UNREACHABLE', severity: 'error' }] }],
    })
    expect(stdout).not.toContain('127.0.0.1')
    expect(await run({ NETWORKS_FILE }, '--network', '8453')).toMatchObject({ code: 0 })
  })

  test('behavior: a price source that repeats its key in an answer does not make it public', async () => {
    const key = `canary-${randomBytes(12).toString('hex')}`
    const source = createServer(({ url: asked = '' }, response) => {
      const price = { price: asked.slice(asked.indexOf('=') + 1), at: new Date().toISOString() }
      response.end(JSON.stringify({ currency: 'USD', prices: { ETH: price, USDC: price } }))
    }).listen(0, '127.0.0.1')
    await once(source, 'listening')
    const { port } = source.address() as AddressInfo // it listens on TCP
    const NETWORKS_FILE = await networksFile(base.entry())
    const PRICE_SOURCE = `http://127.0.0.1:${port}/prices?key=${key}`
    const { stdout, stderr } = await run({ NETWORKS_FILE, PRICE_SOURCE })
    source.close()
    expect(stdout).toContain('SHOWN_PRICE_UNUSABLE')
    expect(stdout + stderr).not.toContain(key)
    expect(stdout).toContain('[hidden]')
  })

  test('error: a missing variable is named with its path in the file', async () => {
    const NETWORKS_FILE = await networksFile(base.entry({ rpcUrls: [url] }))
    const { code, stderr } = await run({ NETWORKS_FILE })
    expect(code).toBe(2)
    expect(stderr).toContain('networks.0.rpcUrls.0: the variable BASE_RPC_URL is not set')
  })

  test('error: the message about invalid JSON does not repeat the file', async () => {
    const path = join(directory, 'broken.json')
    await writeFile(path, `{\n  "networks": [{ "rpcUrls": ["https://rpc.example/a-secret-key"] ]\n}`)
    const { code, stderr } = await run({ NETWORKS_FILE: path })
    expect(code).toBe(2)
    expect(stderr).toContain('it is not JSON')
    expect(stderr).not.toContain('secret')
  })
})

describe('at service start', () => {
  async function start(networks: readonly object[], more: Record<string, string> = {}) {
    // The role `worker` needs only the relayer's key; the other keys may be on another host.
    const env = readEnv({ NETWORKS_FILE: await networksFile(...networks), ROLES: 'worker', ...more })
    const lines: { network: number; finding: string; level: number }[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const keys = await openKeys(env)
    const configs = await readNetworksFile(env.NETWORKS_FILE ?? '')
    await preflightAtStart({ configs, env, keys, log, now: () => new Date() })
    return lines.filter(({ level }) => level >= 40).map(({ network, finding }) => [network, finding])
  }
  const remote = { bundler: { kind: 'remote', url: unusedUrl } }
  const wrongDecimals = { settlementToken: { ...settlementToken, decimals: 18 } }

  test('default: a fault that is not critical is logged', async () => {
    expect(await start([base.entry(remote)])).toEqual([[8453, 'BUNDLER_UNREACHABLE']])
  })

  test('behavior: the service starts even if a network does not answer', async () => {
    const down = { preset: 'polygon', rpcUrls: [unusedUrl], ...remote }
    expect(await start([base.entry(remote), down])).toEqual(
      expect.arrayContaining([
        [137, 'RPC_UNREACHABLE'],
        [8453, 'BUNDLER_UNREACHABLE'],
      ]),
    )
  })

  test('error: a fault that could lose money stops the start and names the fix', async () => {
    const starting = start([base.entry({ ...remote, ...wrongDecimals })])
    await expect(starting).rejects.toThrow(ConfigurationError)
    await expect(starting).rejects.toThrow(/TOKEN_DECIMALS[\s\S]*expected 18[\s\S]*seen 6[\s\S]*fix: /)
  })

  test('error: another chain stops the start', async () => {
    const entry = { preset: 'polygon', rpcUrls: [base.proxy.url], ...remote }
    await expect(start([entry])).rejects.toThrow(/WRONG_CHAIN[\s\S]*expected chain 137[\s\S]*seen chain 8453/)
  })

  test('args: PREFLIGHT=warn starts despite errors, PREFLIGHT=off skips the checks', async () => {
    const networks = [base.entry({ ...remote, ...wrongDecimals })]
    expect(await start(networks, { PREFLIGHT: 'warn' })).toContainEqual([8453, 'TOKEN_DECIMALS'])
    expect(await start(networks, { PREFLIGHT: 'off' })).toEqual([])
  })

  test('behavior: local networks are not checked', async () => {
    expect(await start([base.entry({ ...remote, ...wrongDecimals, local: true })])).toEqual([])
  })
})
