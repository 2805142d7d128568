/** @module-tag all */
// @promise 20
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isAlive } from './clients.ts'

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'behavior: a parent that ends by %s leaves no anvil process',
  async (signal) => {
    const { parent, pids } = await startParent()
    expect(pids.map(isAlive)).toEqual([true, true])
    parent.kill(signal)
    await expect.poll(() => pids.some(isAlive)).toBe(false)
  },
)

test('behavior: the chains of a killed parent are still saved', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lanyard-devnet-'))
  const { parent, pids } = await startParent(dataDir)
  parent.kill('SIGKILL')
  await expect.poll(() => pids.some(isAlive)).toBe(false)
  const state = await readFile(join(dataDir, 'chain-31338.json'), 'utf8')
  expect(JSON.parse(state)).toHaveProperty('accounts')
  await rm(dataDir, { recursive: true })
})

/** Starts test/fixtures/parent.ts and waits until its networks run. */
async function startParent(...args: string[]) {
  const path = fileURLToPath(new URL('fixtures/parent.ts', import.meta.url))
  const parent = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await new Promise<string>((resolve) =>
    createInterface({ input: parent.stdout }).once('line', resolve),
  )
  // The fixture's own output.
  return { parent, pids: JSON.parse(line) as number[] }
}
