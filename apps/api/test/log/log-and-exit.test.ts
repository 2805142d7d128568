import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('behavior: a process exits even if nobody reads its log any more', async () => {
  const program = fileURLToPath(new URL('log-and-exit.ts', import.meta.url))
  const child = spawn(process.execPath, [program], { stdio: 'pipe' })
  try {
    await once(child.stderr, 'data')
    child.stdout.destroy()
    const ended = once(child, 'exit')
    child.stdin.write('now')
    expect(await ended).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})
