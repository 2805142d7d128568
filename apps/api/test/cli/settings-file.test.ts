/** @module-tag all */

import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../src/admin/cli/lanyard.ts', import.meta.url))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanyard-'))
})
afterEach(() => rm(folder, { recursive: true }))

const run = (...given: string[]) => {
  const args = [program, ...(given.length > 0 ? given : ['start', '--port', 'none', '--json'])]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, stderr }
}
const settings = () => join(folder, 'lanyard.env')

test('behavior: a settings file that somebody else can write is not used', async () => {
  await writeFile(settings(), 'NETWORKS_FILE=of-somebody.json\n')
  await chmod(settings(), 0o666)
  expect(run()).toEqual({ status: 2, stderr: expect.stringMatching(/Another user can write it.*chmod 600/s) })
})

test.skipIf(process.getuid?.() !== 0)('behavior: nor one of another user', async () => {
  await writeFile(settings(), 'NETWORKS_FILE=of-somebody.json\n', { mode: 0o644 })
  await chown(settings(), 12_345, 12_345)
  expect(run()).toEqual({ status: 2, stderr: expect.stringMatching(/Another user can write it.*chown 0/s) })
})

test('error: one that cannot be read is named without a stack', async () => {
  await mkdir(settings(), { mode: 0o700 })
  const { status, stderr } = run()
  expect(status).toBe(2)
  expect(stderr).toMatch(/^lanyard\.env cannot be used:\n {2}- It cannot be read/)
  expect(stderr).not.toContain('    at ')
})
