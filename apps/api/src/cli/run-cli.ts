import { CommanderError } from 'commander'
import { ConfigurationError } from '../environment/configuration-error.ts'
import { withoutSecrets } from '../secrets/hidden-secrets.ts'
import { CommandEnd, type ExitCode, exitCodes } from './exit-codes.ts'
import { createProgram } from './program.ts'
import { terminal } from './terminal.ts'

/**
 * Runs one command.
 *
 * @param args - without the program's own name.
 * @returns the exit code
 */
export async function runCli(args: readonly string[]): Promise<ExitCode> {
  try {
    await createProgram().parseAsync(args, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    if (error instanceof CommandEnd) return error.exitCode
    // Its own message is written already; help and version end this way too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.misused
    const { explain } = await import('./explain.ts')
    const { code, message: whole } = explain(error)
    const message = withoutSecrets(whole)
    // Under --json a script reads one document, whatever becomes of the command.
    if (args.includes('--json'))
      terminal().stdout(`${JSON.stringify({ error: { code, message } }, null, 2)}\n`)
    terminal().stderr(`${message}\n`)
    return error instanceof ConfigurationError ? exitCodes.misused : exitCodes.failed
  }
}
