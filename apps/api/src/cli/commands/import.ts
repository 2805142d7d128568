import type { Command } from 'commander'
import { withJson } from '../options.ts'
import type { ImportOptions } from './import-run.ts'

const help = `
Each user is taken over whole or not at all, and what is here already stays as it is: running it again changes nothing.
Addresses and hashes are recomputed; a document that contradicts itself is refused, and so is one whose username,
address, passkey or EOA belongs to somebody else here. Let the installation that it comes from no longer serve the
user. Ends with 1 if anything was refused, or if a file of many users has no last line: then it was cut.

Environment: DATABASE_URL (or DATA_DIR, while the service does not run).`

/** `lanyard import`. */
export function addImport(program: Command): void {
  withJson(program.command('import').description('take over users from what `lanyard export` wrote'))
    .argument('<file>', 'what was written; - reads stdin')
    .option('--dry-run', 'show what would be taken over, and take over nothing')
    .option('--other-rp-id', 'also passkeys of another domain, which do not work here')
    .addHelpText('after', help)
    .action(async (file: string, options: ImportOptions) =>
      (await import('./import-run.ts')).importUsers(file, options),
    )
}
