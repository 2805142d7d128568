import { CommanderError } from 'commander'
import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import { withoutSecrets } from '../../platform/secrets/hidden-secrets.ts'
import { readSettingsFile } from './commands/start.ts'
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
    readSettingsFile()
    const program = await createProgram(args)
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    if (error instanceof CommandEnd) return error.exitCode
    if (error instanceof CommanderError) return endMisused(error, args)
    const { explain } = await import('./explain.ts')
    const { code, message: whole } = explain(error)
    const message = withoutSecrets(whole)
    answerScript(args, { code, message })
    terminal().stderr(`${message}\n`)
    return error instanceof ConfigurationError ? exitCodes.misused : exitCodes.failed
  }
}

/** Commander has already written its message to stderr. Help and version also end this way. */
function endMisused({ exitCode, message }: CommanderError, args: readonly string[]): ExitCode {
  if (exitCode === 0) return exitCodes.done
  answerScript(args, { code: 'MISUSED', message: message.replace(/^error: /, '') })
  return exitCodes.misused
}

/** Under --json, a script reads a single document, even if the command fails. */
function answerScript(args: readonly string[], error: { readonly code: string; readonly message: string }) {
  if (args.includes('--json')) terminal().stdout(`${JSON.stringify({ error }, null, 2)}\n`)
}
