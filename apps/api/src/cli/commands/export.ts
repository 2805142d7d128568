import type { Command } from 'commander'
import type { ExportOptions } from './export-run.ts'

const help = `
One user is one JSON document, all users are one document a line and a last line that counts them. Everything that
another installation needs to go on is in it: the account with all that its address depends on, passkeys (public
keys), operations, orders. With NETWORKS_FILE it also shows what the chains say: owners, sessions, deposits. API keys,
tokens, budgets and what is under way at the bundler belong to the installation, and are not in it.

Environment: DATABASE_URL (or DATA_DIR, while the service does not run); NETWORKS_FILE, if the chains are to be asked.`

/** `lanyard export`. */
export function addExport(program: Command): void {
  program
    .command('export')
    .description('write everything about a user, or about all, to stdout')
    .option('--user <name>', 'a username, or the address of a smart account or of its EOA')
    .option('--all', 'every user')
    .option('--without-chains', 'leave out what the chains say')
    .addHelpText('after', help)
    .action(async (options: ExportOptions) => (await import('./export-run.ts')).exportUsers(options))
}
