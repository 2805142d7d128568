import type { Command } from 'commander'
import { leftTables } from '../../maintenance/user-export/tables.ts'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import type { ExportOptions } from './export-run.ts'

const about = `
One user is one JSON document, all users are one document a line and a last line that counts them. Everything that
another installation needs to go on is in it: the account with all that its address depends on, passkeys (public
keys), operations and what the service pays for of them, orders. With NETWORKS_FILE it also shows what the chains say:
owners, sessions, deposits. These tables are not in it, since they belong to the installation or hold for a moment:`

/** `lanyard export`. */
export function addExport(program: Command): void {
  const command = program
    .command('export')
    .description('write everything about a user, or about all, to stdout')
    .option('--user <name>', 'a username, or the address of a smart account or of its EOA')
    .option('--all', 'every user')
    .option('--without-chains', 'leave out what the chains say')
  withManual(command, {
    about,
    terms: leftTables,
    environment: { ...ofPreparedDatabase, NETWORKS_FILE: 'the networks that are asked; absent: none' },
    examples: ['export --user alice', 'export --all > users.ndjson'],
  }).action(async (options: ExportOptions) => (await import('./export-run.ts')).exportUsers(options))
}
