import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readyLine } from '@lanyard/testing'
import { ampleLimits } from './ample-limits.ts'

/** Ends the process at the point that CRASH_AT names. */
const crashAt = new URL('kill/crash-at.ts', import.meta.url)
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface ServiceProcess extends AsyncDisposable {
  /** The base URL. Without the role `api`, a text that ends in `without HTTP`. */
  readonly url: string
  readonly child: ChildProcess
  /** Everything printed so far. */
  readonly output: () => string
  /** Resolves with the exit code or signal when the process ends. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Sends SIGTERM, then SIGKILL if the process does not exit. */
  stop(): Promise<void>
}

/**
 * Starts the service as an operator does: as a separate process, configured only by environment variables.
 *
 * @param preload - a module that Node loads first (`node --import`)
 */
export async function startServiceProcess(
  env: Record<string, string>,
  preload?: URL,
): Promise<ServiceProcess> {
  const preloads = [preload, env.CRASH_AT === undefined ? undefined : crashAt]
  const imports = preloads.flatMap((module) => (module ? ['--import', module.href] : []))
  const child = spawn(process.execPath, [...imports, main], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...ampleLimits,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals)
  let exited = false
  void ended.then(() => {
    exited = true
  })

  async function stop() {
    if (exited) return
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
    await ended
    clearTimeout(timer)
  }

  const deadline = Date.now() + 240_000
  for (;;) {
    const url = readyLine.exec(output)?.[1]
    if (url) return { url, child, output: () => output, ended, stop, [Symbol.asyncDispose]: stop }
    if (exited || Date.now() > deadline) {
      await stop()
      throw new Error(`The service did not start:\n${output}`)
    }
    await delay(25)
  }
}
