import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

export interface Program extends AsyncDisposable {
  /** The URL on which it listens. */
  readonly url: string
  readonly pid: number
}

export interface StartProgramOptions {
  readonly parameters?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Matches the line that it prints when it is ready; the first group is its URL. Absent: see `url`. */
  readonly ready?: RegExp
  /** The URL on which it listens, if it does not print one. It is polled until it answers. */
  readonly url?: string
}

/** Time-out of a program's start in milliseconds. */
const startTimeout = 180_000

/**
 * Starts a Node.js program in a separate process, which ends with this one. Disposing sends SIGTERM, then
 * SIGKILL.
 */
export async function startProgram(path: string, options: StartProgramOptions): Promise<Program> {
  const child = spawn(process.execPath, [path, ...(options.parameters ?? [])], {
    env: { ...options.env },
    // Through the channel, programs of this repository notice when this process has ended.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const listen = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout?.on('data', listen)
  child.stderr?.on('data', listen)
  const ended = once(child, 'exit')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  async function stop() {
    if (hasEnded()) return
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await ended
    clearTimeout(timer)
  }

  const deadline = Date.now() + startTimeout
  for (;;) {
    const url = options.url ? await answering(options.url) : options.ready?.exec(output)?.[1]
    if (url && child.pid !== undefined) return { url, pid: child.pid, [Symbol.asyncDispose]: stop }
    if (hasEnded() || Date.now() > deadline) {
      await stop()
      throw new Error(`${path} did not start:\n${output}`)
    }
    await delay(25)
  }
}

const answering = (url: string) =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer()
      return url
    },
    () => undefined,
  )
