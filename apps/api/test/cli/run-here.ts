import type { OpenDatabase } from '@lanyard/database'
import { runCli } from '../../src/admin/cli/run-cli.ts'
import { withTerminal } from '../../src/admin/cli/terminal.ts'
import type { CliEnd } from './cli-process.ts'

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  /** What the person at the terminal answers. Absent: nobody is there. */
  readonly answer?: string
  /** Open already. Absent: the command opens the one of its environment. */
  readonly database?: OpenDatabase
}

/** `lanyard …` in this process: the same program, without the second that a process takes to start. */
export async function runHere(
  { env = {}, answer, database }: Surroundings,
  ...args: string[]
): Promise<CliEnd> {
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
