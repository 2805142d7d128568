import { AsyncLocalStorage } from 'node:async_hooks'
import { createInterface } from 'node:readline/promises'
import type { OpenDatabase } from '@lanyard/database'

/** The surroundings of a command: its streams, and the function that answers its questions. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Results. */
  readonly stdout: (text: string) => void
  /** Progress, questions and errors. */
  readonly stderr: (text: string) => void
  /** Absent when there is no terminal for an answer: in a pipe, in CI. */
  readonly ask?: (question: string) => Promise<string>
  /**
   * An open database that the caller of the command provides and keeps open: PGlite allows only one process,
   * and only one opener.
   */
  readonly database?: OpenDatabase
}

const processTerminal: Terminal = {
  env: process.env,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  ...(process.stdin.isTTY && {
    async ask(question: string) {
      const lines = createInterface({ input: process.stdin, output: process.stderr })
      try {
        return await lines.question(question)
      } finally {
        lines.close()
      }
    },
  }),
}

const current = new AsyncLocalStorage<Terminal>()

/** The terminal of the running command. */
export const terminal = (): Terminal => current.getStore() ?? processTerminal

/** Runs a command with other surroundings than the process's own terminal. */
export const withTerminal = <T>(surroundings: Terminal, run: () => Promise<T>): Promise<T> =>
  current.run(surroundings, run)
