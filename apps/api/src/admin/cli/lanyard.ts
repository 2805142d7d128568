#!/usr/bin/env node
/** The operator's command line: `pnpm lanyard --help`. */
import { readSettingsFile } from './commands/start.ts'
import { exitCodes } from './exit-codes.ts'
import { runCli } from './run-cli.ts'

// `lanyard export --user alice | head`: nobody reads the rest.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(exitCodes.failed)
})

readSettingsFile()
process.exitCode = await runCli(process.argv.slice(2))
