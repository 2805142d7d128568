import { type ChildProcess, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../src/admin/cli/lanyard.ts', import.meta.url))

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the document
  json(): any
}

export interface CliProcess {
  readonly child: ChildProcess
  readonly ended: Promise<CliResult>
}

/** Starts `lanyard …` as an operator does: as a separate process, with only this environment. */
export function startCli(env: Record<string, string>, ...args: string[]): CliProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)])
  return {
    child,
    ended: ended.then(([code, stdout, stderr]) => ({ code, stdout, stderr, json: () => JSON.parse(stdout) })),
  }
}
