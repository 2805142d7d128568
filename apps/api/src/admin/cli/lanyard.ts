#!/usr/bin/env node
/** The operator's command line: `pnpm lanyard --help`. */
import { exitCodes } from './exit-codes.ts'
import { runCli } from './run-cli.ts'

// `lanyard export --user alice | head`: nobody reads the rest.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(exitCodes.failed)
})

process.exitCode = await runCli(process.argv.slice(2))
