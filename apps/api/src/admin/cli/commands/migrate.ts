import type { Command } from 'commander'
import { ofDatabase, withManual } from '../manual.ts'
import { withJson } from '../options.ts'
import type { MigrateOptions } from './migrate-run.ts'

const about = `
Replicas may run meanwhile, of this version or of the one before: migrations only add, one process at a time applies
them, all or nothing, and nobody waits longer than half a second for a table. The service does the same when it
starts, unless MIGRATE_ON_START is false.`

/** `lanyard migrate [status]`. */
export function addMigrate(program: Command): void {
  const migrate = withJson(
    program.command('migrate').description('bring the database to this version'),
  ).option('--dry-run', 'show what would be applied, and apply nothing')
  withManual(migrate, {
    about,
    environment: ofDatabase,
    examples: ['migrate --dry-run', 'migrate'],
  }).action(async (options: MigrateOptions) => (await import('./migrate-run.ts')).runMigrations(options))
  const status = withJson(migrate.command('status').description('what is applied and what is pending'))
  withManual(status, {
    environment: ofDatabase,
    endings: { unfinished: 'something is pending' },
    examples: ['migrate status'],
  }).action(async (options: MigrateOptions) => (await import('./migrate-status.ts')).showMigrations(options))
}
