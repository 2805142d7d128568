/** @module-tag all */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sessionKeysAddress, smartBalanceAddress, startNode } from '../src/index.ts'
import { clientsOf } from './clients.ts'

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))

test('default: runs until it is interrupted', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-devnet-'))
  const networksFile = join(directory, 'networks.json')
  // A port that was just free; if it is taken in the meantime, another one is used.
  const probe = await startNode()
  await probe.stop()

  const running = run('--port', String(probe.port), '--data-dir', directory, '--networks-file', networksFile)
  await running.printed('Ready')
  const { networks } = JSON.parse(await readFile(networksFile, 'utf8'))
  expect(networks).toHaveLength(3)
  expect(networks[2]).toEqual({
    chainId: 31339,
    name: 'Local 3',
    rpcUrls: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)],
    local: true,
    accountKinds: ['safe', 'eip7702'],
    finality: { tag: 'finalized' },
    bundler: { kind: 'embedded' },
    settlementToken: { address: expect.stringMatching(/^0x/), symbol: 'USDC', decimals: 18 },
    smartBalance: smartBalanceAddress,
    sessionKeys: sessionKeysAddress,
    ownership: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    nativePrice: { kind: 'fixed', price: '2500000000' },
  })
  expect(await clientsOf({ rpcUrl: networks[0].rpcUrls[0] }).publicClient.getChainId()).toBe(31337)

  running.process.kill('SIGINT')
  expect((await running.ended).code).toBe(0)
  await rm(directory, { recursive: true })
})

test('args: --help', async () => {
  const { code, stdout } = await run('--help').ended
  expect(code).toBe(0)
  expect(stdout).toContain('--data-dir <path>')
})

test.each([
  [['--port', 'abc'], '--port must be a whole number from 1 to 65533, not "abc"'],
  [['--hardfork', 'atlantis'], '--hardfork must be one of osaka, prague, cancun, not "atlantis"'],
  [['--nonsense'], "Unknown option '--nonsense'"],
])('error: %j', async (args, message) => {
  const { code, stderr } = await run(...args).ended
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

function run(...args: string[]) {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const output = Promise.all([code, text(child.stdout), text(child.stderr)])
  return {
    process: child,
    printed: (what: string) =>
      new Promise<void>((resolve) =>
        child.stdout.on('data', (chunk) => String(chunk).includes(what) && resolve()),
      ),
    ended: output.then(([code, stdout, stderr]) => ({ code, stdout, stderr })),
  }
}
