import type { Command } from 'commander'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { withJson } from '../options.ts'
import type { ImportOptions } from './import-run.ts'

const about = `
Each user is taken over whole or not at all, and what is here already stays as it is: running it again changes nothing.
Addresses and hashes are recomputed; a document that contradicts itself is refused, and so is one whose username,
address, passkey or EOA belongs to somebody else here. Let the installation that it comes from no longer serve the
user.`

/** `lanyard import`. */
export function addImport(program: Command): void {
  const command = withJson(
    program.command('import').description('take over users from what `lanyard export` wrote'),
  )
    .argument('<file>', 'what was written; - reads stdin')
    .option('--dry-run', 'show what would be taken over, and take over nothing')
    .option('--other-rp-id', 'also passkeys of another domain, which do not work here')
  withManual(command, {
    about,
    environment: ofPreparedDatabase,
    endings: {
      failed: 'something was refused, or a file of many users has no last line: then it was cut',
    },
    examples: ['import users.ndjson --dry-run', 'import users.ndjson'],
  }).action(async (file: string, options: ImportOptions) =>
    (await import('./import-run.ts')).importUsers(file, options),
  )
}
