#!/usr/bin/env node
/** The operator's command line: `pnpm lanyard --help`. */
import { runCli } from './run-cli.ts'

process.exitCode = await runCli(process.argv.slice(2))
