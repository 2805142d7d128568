/**
 * `npm run test:slow` runs the fast tier as a slow machine would, with a third of the processors and with the files in
 * random order: what depends on speed or on order fails here before it fails in CI. Arguments go to `npm test`:
 * `npm run test:slow -- --filter @lanyard/api`.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { burn } from './burn.ts'
import { limitByCgroup } from './cgroup.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const share = 1 / 3

// Any limit slows this process down as well, so it must hold only for what it starts.
const group = limitByCgroup(share * availableParallelism())
const burning = group ? undefined : burn(share)
const seed = process.env.TEST_SEED ?? String(randomInt(2 ** 31))
process.stdout.write(
  `A third of ${availableParallelism()} processors (${group ? 'cgroup' : 'busy loops beside the tests'}), files in random order, TEST_SEED=${seed}\n`,
)

// The shell enters the group before anything else is started. A cached result would show nothing.
const enter = group ? `echo $$ > '${group.membersFile}' && ` : ''
const child = spawn(
  '/bin/sh',
  [
    '-c',
    `${enter}exec "$@"`,
    'sh',
    process.execPath,
    'tools/testing/src/main.ts',
    'test',
    '--force',
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_ORDER: 'random', TEST_SEED: seed },
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
process.exitCode = await new Promise<number>((resolve) => {
  child.once('error', () => resolve(1))
  child.once('exit', (code) => resolve(code ?? 1))
})
burning?.stop()
await group?.remove()
