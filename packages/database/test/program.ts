import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export interface Program extends AsyncDisposable {
  readonly child: ChildProcessByStdio<null, Readable, null>
  /** Kills it without notice and waits until it has exited. */
  kill(): Promise<void>
}

/** Runs a file of this folder in its own process, which ends with the test. */
export function runProgram(file: string, ...args: readonly string[]): Program {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { child, kill, [Symbol.asyncDispose]: kill }
}
