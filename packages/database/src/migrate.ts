import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { withoutTimeout } from './engines/pool-with-timeouts.ts'
import { migrations as released } from './migrations/index.ts'
import { assertUsable, readMigrations } from './read-migrations.ts'
import type { Database } from './schema.ts'

/** Names the lock under which one process at a time migrates. Kysely's own one is inside its transaction. */
const migrationLock = 7_261_940_517_203n

/**
 * Milliseconds that a migration waits for the lock of a table. Whoever comes after it waits as long, so it is short;
 * and shorter than `deadlock_timeout` (1 s), so that of a deadlock it is the migration that gives way.
 */
const lockTimeout = 500

/** Milliseconds between attempts, in which the service can work. */
const pause = 500

/** Number of retries for a table that is in use. */
const maxAttempts = 60

/** SQLSTATE: lock_not_available, deadlock_detected. */
const lockFailures = new Set(['55P03', '40P01'])

/**
 * Brings the database to the schema of this code, all or nothing, and answers the names of what it applied. Replicas
 * of any version may run meanwhile: migrations only add (`expand-only.test.ts`), one process at a time applies them,
 * and none makes the others wait longer than half a second for a table.
 *
 * @throws LanyardError DATABASE_UNAVAILABLE when the database is of a newer version that this code cannot work with,
 * or when a table stays locked
 */
export async function migrate(
  db: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>> = released,
): Promise<readonly string[]> {
  // The pool's time-outs are for requests. A migration may take longer, and so may waiting for another's.
  return withoutTimeout(() => db.connection().execute((connection) => migrateOn(connection, migrations)))
}

async function migrateOn(
  connection: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<readonly string[]> {
  await sql`set statement_timeout = 0`.execute(connection)
  await sql`select pg_advisory_lock(${migrationLock})`.execute(connection)
  await sql`set lock_timeout = ${sql.lit(lockTimeout)}`.execute(connection)
  try {
    const status = await readMigrations(connection, migrations)
    assertUsable(status)
    return status.pending.length === 0 ? [] : await applyPending(connection, migrations)
  } finally {
    await sql`reset lock_timeout`.execute(connection)
    await sql`select pg_advisory_unlock(${migrationLock})`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  }
}

async function applyPending(
  connection: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: connection,
    provider: { getMigrations: async () => ({ ...migrations }) },
  })
  for (let attempt = 1; ; attempt++) {
    const { error, results = [] } = await migrator.migrateToLatest()
    if (!error) return results.map((result) => result.migrationName)
    if (!isLockFailure(error)) throw error
    if (attempt === maxAttempts) {
      throw new LanyardError('DATABASE_UNAVAILABLE', {
        message: 'A table that a migration changes stays locked by another session. Nothing was changed.',
        cause: error,
      })
    }
    await delay(pause)
  }
}

const isLockFailure = (error: unknown) =>
  error instanceof Error && 'code' in error && lockFailures.has(String(error.code))
