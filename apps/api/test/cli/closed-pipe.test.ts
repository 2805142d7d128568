/** @module-tag all */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../src/admin/cli/lanyard.ts', import.meta.url))

test('behavior: a command whose output nobody reads any more ends without a stack', async () => {
  const child = spawn(process.execPath, [program, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy() // as `| head` does, long before the command writes
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect(stderr).toBe('')
  expect(child.exitCode).toBe(1)
})
