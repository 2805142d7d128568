import { type ChildProcess, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../src/admin/cli/lanyard.ts', import.meta.url))

export interface CliEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: documents are examined by the tests, member by member
  json(): any
}

export interface CliProcess {
  readonly child: ChildProcess
  readonly ended: Promise<CliEnd>
}

/** `lanyard …` as an operator runs it: a process of its own, with this environment and no other. */
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

export const runCli = (env: Record<string, string>, ...args: string[]) => startCli(env, ...args).ended
