import type { OpenDatabase } from '@lanyard/database'
import { runCli } from '../../src/admin/cli/run-cli.ts'
import { withTerminal } from '../../src/admin/cli/terminal.ts'
import type { CliResult } from './cli-process.ts'

export interface CliContext {
  readonly env?: Readonly<Record<string, string>>
  /** The answer of the person at the terminal. Without it, the terminal is not interactive. */
  readonly answer?: string
  /** An open database. Without it, the command opens the database of its environment. */
  readonly database?: OpenDatabase
}

/** Runs `lanyard …` in this process, which is a second faster than a new process. */
export async function runInProcess(
  { env = {}, answer, database }: CliContext,
  ...args: string[]
): Promise<CliResult> {
  let stdout = ''
  let stderr = ''
  const code = await withTerminal(
    {
      env,
      stdout: (text) => {
        stdout += text
      },
      stderr: (text) => {
        stderr += text
      },
      ...(database && { database }),
      ...(answer !== undefined && {
        async ask(question: string) {
          stderr += question
          return answer
        },
      }),
    },
    () => runCli(args),
  )
  return { code, stdout, stderr, json: () => JSON.parse(stdout) }
}
