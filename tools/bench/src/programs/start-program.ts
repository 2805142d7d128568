import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

export interface Program extends AsyncDisposable {
  /** Where it listens. */
  readonly url: string
  readonly pid: number
}

export interface StartProgramOptions {
  readonly parameters?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Matches what it prints when it is ready; the first group is its address. Absent: see `url`. */
  readonly ready?: RegExp
  /** Folder into which it writes a profile of its processor time when it ends. */
  readonly profileTo?: string | undefined
  /** Where it listens, when it does not say so: asked until it answers. */
  readonly url?: string
}

/** Milliseconds that a program may take to start. */
const startBound = 60_000

/** A Node.js program in a process of its own, which ends with this one. Disposing sends SIGTERM, then SIGKILL. */
export async function startProgram(path: string, options: StartProgramOptions): Promise<Program> {
  const child = spawn(
    process.execPath,
    [...profiling(options.profileTo), path, ...(options.parameters ?? [])],
    {
      env: { ...options.env },
      // The channel tells programs of this repository when this process is gone.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
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

  const deadline = Date.now() + startBound
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

const profiling = (folder: string | undefined) =>
  folder === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${folder}`]

const answering = (url: string) =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer()
      return url
    },
    () => undefined,
  )
