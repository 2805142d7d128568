import { assertUsable, type Database, migrate, readMigrations } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { ConfigurationError } from './environment/configuration-error.ts'
import type { Env } from './environment/env.ts'

/**
 * Migrates the database to this version's schema, or only checks the schema if the operator runs `lanyard
 * migrate`.
 *
 * @returns the names of the applied migrations
 * @throws ConfigurationError naming the pending migrations; LanyardError DATABASE_UNAVAILABLE for a schema
 * that this version cannot use
 */
export async function prepareSchema(
  database: Kysely<Database>,
  { MIGRATE_ON_START }: Pick<Env, 'MIGRATE_ON_START'>,
): Promise<readonly string[]> {
  if (MIGRATE_ON_START) return migrate(database)
  const status = await readMigrations(database)
  assertUsable(status)
  if (status.pending.length === 0) return []
  throw new ConfigurationError(
    'The database',
    status.pending.map(
      (name) => `it lacks ${name}: run \`lanyard migrate\` first (MIGRATE_ON_START is false)`,
    ),
  )
}
