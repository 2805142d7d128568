import { LanyardError } from '@lanyard/contracts'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { migrations as released } from './migrations/index.ts'
import type { Database } from './schema.ts'

/** Kysely's default name for the table of what was applied. */
const migrationTable = 'kysely_migration'

/**
 * Brings the database to the schema of this code, all or nothing, and answers the names of what it applied.
 * Replicas that start at the same time wait for each other: Kysely's migrator takes an advisory lock.
 *
 * @throws LanyardError DATABASE_UNAVAILABLE when the database is newer than this code.
 */
export async function migrate(
  db: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>> = released,
): Promise<readonly string[]> {
  return db.connection().execute(async (connection) => {
    // The pool's time-out is for requests. A migration may take longer, and so may waiting for another's.
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      await assertNotNewer(connection, migrations)
      const migrator = new Migrator({
        db: connection,
        provider: { getMigrations: async () => ({ ...migrations }) },
      })
      const { error, results = [] } = await migrator.migrateToLatest()
      if (error) throw error
      return results.map((result) => result.migrationName)
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

async function assertNotNewer(
  db: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const table = await sql<{ found: boolean }>`
    select to_regclass(${migrationTable}) is not null as found`.execute(db)
  if (!table.rows[0]?.found) return
  const applied = await sql<{
    name: string
  }>`select name from ${sql.table(migrationTable)} order by name`.execute(db)
  const unknown = applied.rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length === 0) return
  throw new LanyardError('DATABASE_UNAVAILABLE', {
    message: `The database is newer than this version of Lanyard (it has ${unknown.join(', ')}). Start the newer version.`,
  })
}
