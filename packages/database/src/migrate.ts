import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { withoutTimeout } from './engines/pool-with-timeouts.ts'
import { lockMigrations } from './migration-lock.ts'
import { migrations as released } from './migrations/index.ts'
import { assertUsable, readMigrations } from './read-migrations.ts'
import type { Database } from './schema.ts'
import { refreshSkeletons } from './users/refresh-skeletons.ts'

/**
 * Milliseconds that a migration waits for a table lock. Later statements wait as long, so it is short. It is
 * also shorter than `deadlock_timeout` (1 s), so that in a deadlock the migration gives way.
 */
const lockTimeout = 500

/** Milliseconds between attempts, during which the service can work. */
const pause = 500

/** Number of retries for a table that is in use. */
const maxAttempts = 60

/** SQLSTATE: lock_not_available, deadlock_detected. */
const lockFailures = new Set(['55P03', '40P01'])

/**
 * Migrates the database to this version's schema, all or nothing, and returns the names of the applied
 * migrations. Skeletons of usernames follow this version's tables afterwards. Replicas of any version may run concurrently: migrations only add (`expand-only.test.ts`), one
 * process at a time applies them, and none makes the others wait longer than half a second for a table.
 *
 * @throws LanyardError DATABASE_UNAVAILABLE if the database belongs to a newer version that this code cannot
 * work with, or if a table stays locked
 */
export async function migrate(
  db: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>> = released,
): Promise<readonly string[]> {
  // The pool's time-outs are meant for requests. A migration, or waiting for another process's migration, may
  // take longer.
  return withoutTimeout(async () => {
    const applied = await applyPatiently(db, migrations)
    await refreshSkeletons(db)
    return applied
  })
}

async function applyPatiently(
  db: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute((transaction) => applyPending(transaction, migrations))
    } catch (error) {
      if (!isLockFailure(error)) throw error
      if (attempt === maxAttempts) {
        throw new LanyardError('DATABASE_UNAVAILABLE', {
          message: 'Another session keeps a lock on a table that a migration changes. Nothing was changed.',
          cause: error,
        })
      }
    }
    await delay(pause)
  }
}

async function applyPending(
  transaction: Transaction<Database>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<readonly string[]> {
  await lockMigrations(transaction)
  const status = await readMigrations(transaction, migrations)
  assertUsable(status)
  if (status.pending.length === 0) return []
  await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction)
  const migrator = new Migrator({
    db: transaction,
    provider: { getMigrations: async () => ({ ...migrations }) },
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) throw error
  return results.map((result) => result.migrationName)
}

const isLockFailure = (error: unknown) =>
  error instanceof Error && 'code' in error && lockFailures.has(String(error.code))
