/** @module-tag all */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePorts } from '@lanyard/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const owners = {
  '@electric-sql/pglite': 'packages/database',
  '@foundry-rs/anvil': 'packages/devnet',
}

let folder: string
let installed: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanyard-service-'))
  installed = join(folder, 'node_modules/@lanyard/service')
  await run(process.execPath, [join(root, 'apps/service/scripts/build.ts'), installed])
  // As npm would install it, without a registry.
  for (const [name, owner] of Object.entries(owners)) {
    const link = join(folder, 'node_modules', name)
    await run('mkdir', ['-p', dirname(link)])
    await symlink(join(root, owner, 'node_modules', name), link)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const lanyard = () => join(installed, 'dist/lanyard.js')

test('default: it depends on exact versions of what it does not contain', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  expect(Object.keys(manifest.dependencies).toSorted()).toEqual(Object.keys(owners).toSorted())
  for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  const { stdout } = await run('du', ['-sk', '--apparent-size', installed])
  // What `npx` loads before anything starts.
  expect(Number.parseInt(stdout, 10)).toBeLessThan(30_000)
})

test('behavior: start serves the API, the pages and local networks, and ends with SIGTERM', async () => {
  const [devnetPort, consolePort] = [await freePorts(3), await freePorts(1)]
  const child = spawn(process.execPath, [lanyard(), 'start', '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env.PATH, DEVNET_PORT: String(devnetPort), CONSOLE_PORT: String(consolePort) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let url: string | undefined
  for await (const line of createInterface(child.stdout)) {
    url = /ready:\s+(http:\/\/\S+)/.exec(line)?.[1]
    if (url) break
  }
  try {
    const health = await fetch(`${url}/health`)
    expect(health.status).toBe(200)
    for (const path of ['/', '/recovery', '/networks', '/docs/reference', '/docs/reference-explorer.js'])
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200])
    const created = await fetch(`${url}/smart-account/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ eoaAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }),
    })
    expect(created.status).toBe(200)
    const { wallet } = (await created.json()) as { wallet: { scw_address: string } } // as the contract says
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const to = { walletAddress: wallet.scw_address, network: '31337' }
    const funded = await fetch(`${url}/wallet/faucet`, { ...json, body: JSON.stringify(to) })
    expect(funded.status).toBe(200)
    // Long calls are hashed by the thread that has a file of its own.
    const built = await fetch(`${url}/smart-account/transaction/build`, {
      ...json,
      body: JSON.stringify({
        ...to,
        transactionDetails: [
          {
            targetContractAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
            value: '0',
            encodedData: `0x${'ab'.repeat(40_000)}`,
          },
        ],
      }),
    })
    expect(built.status, await built.text()).toBe(200)
  } finally {
    child.kill('SIGTERM')
  }
  expect((await ended)[0]).toBe(0)
})

test('behavior: its commands run', async () => {
  const { stdout } = await run(process.execPath, [lanyard(), 'brand', '--help'], { cwd: folder })
  expect(stdout).toContain('lanyard brand')
})
