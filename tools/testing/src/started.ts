import { subscribe } from 'node:diagnostics_channel'
import { basename } from 'node:path'

/** What a run starts, and how often: `local networks`, `service processes`, `PGlite databases`… */
export type Started = Record<string, number>

/** With `isolate: false`, vitest loads this module once per worker, and its set-up once per file. */
const counted: Started = {}

export const noteStarted = (what: string): void => {
  counted[what] = (counted[what] ?? 0) + 1
}

/** Returns what was started since the last call. */
export function takeStarted(): Started {
  const taken = { ...counted }
  for (const what of Object.keys(counted)) delete counted[what]
  return taken
}

/** Programs that suites start directly. What these start themselves is not counted. */
const programs: readonly [name: RegExp, what: string][] = [
  [/^supervisor\.[jt]s$/, 'local devnets'],
  [/^main\.ts$/, 'service processes'],
  [/^(chromium|chrome|google-chrome|headless)/, 'browsers'],
  [/^initdb$/, 'PostgreSQL servers'],
  // How vitest starts a worker, and what watches its workers.
  [/^suppress-warnings\.cjs$/, 'test workers'],
  [/^watchdog\.js$/, ''],
  [/^sh$/, ''],
]

/** Node publishes a process before it has its arguments. */
subscribe('child_process', (message) => {
  const { process: child } = message as { process: { spawnfile?: string; spawnargs?: readonly string[] } }
  setImmediate(() => {
    const words = [child.spawnfile ?? '', ...(child.spawnargs ?? [])].map((word) => basename(word))
    const program = words[0] === 'node' ? (words.find((word) => /\.[cm]?[jt]s$/.test(word)) ?? '') : words[0]
    const what = programs.find(([name]) => name.test(program ?? ''))?.[1] ?? 'other programs'
    if (what) noteStarted(what)
  })
})
