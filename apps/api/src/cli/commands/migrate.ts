import type { Command } from 'commander'
import { withJson } from '../options.ts'
import type { MigrateOptions } from './migrate-run.ts'

const environment = '\nEnvironment: DATABASE_URL (or DATA_DIR, while the service does not run).'

const help = `
Replicas may run meanwhile, of this version or of the one before: migrations only add, one process at a time applies
them, all or nothing, and nobody waits longer than half a second for a table. The service does the same when it
starts, unless MIGRATE_ON_START is false.
${environment}`

/** `lanyard migrate [status]`. */
export function addMigrate(program: Command): void {
  const migrate = withJson(program.command('migrate').description('bring the database to this version'))
    .option('--dry-run', 'show what would be applied, and apply nothing')
    .addHelpText('after', help)
    .action(async (options: MigrateOptions) => (await import('./migrate-run.ts')).runMigrations(options))
  withJson(
    migrate.command('status').description('what is applied and what is pending; ends with 3 if anything is'),
  )
    .addHelpText('after', environment)
    .action(async (options: MigrateOptions) => (await import('./migrate-status.ts')).showMigrations(options))
}
