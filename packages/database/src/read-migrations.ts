import { LanyardError } from '@lanyard/contracts'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { migrations as released } from './migrations/index.ts'
import type { Database } from './schema.ts'

/** Kysely's default name for the table of applied migrations. */
const migrationTable = 'kysely_migration'

/**
 * Names of migrations that older versions cannot work with (`0042-contract-old-column`). All other migrations
 * only add, so that the previous version keeps working and can be started again.
 */
const contraction = /^\d+-contract(-|$)/

/** The migration state of a database compared with this code. */
export interface MigrationStatus {
  readonly applied: readonly { readonly name: string; readonly at: Date }[]
  /** Migrations that this code has and the database does not. */
  readonly pending: readonly string[]
  /** Migrations that the database has and this code does not know. */
  readonly newer: readonly string[]
}

/** Reads which migrations a database has. Changes nothing. */
export async function readMigrations(
  db: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>> = released,
): Promise<MigrationStatus> {
  const names = Object.keys(migrations).sort()
  const table = await sql<{ found: boolean }>`
    select to_regclass(${migrationTable}) is not null as found`.execute(db)
  if (!table.rows[0]?.found) return { applied: [], pending: names, newer: [] }
  const { rows } = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from ${sql.table(migrationTable)} order by name`.execute(db)
  const applied = rows.map(({ name, timestamp }) => ({ name, at: new Date(timestamp) }))
  const present = new Set(rows.map(({ name }) => name))
  return {
    applied,
    pending: names.filter((name) => !present.has(name)),
    newer: applied.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name)),
  }
}

const summarize = ([first = '', ...others]: readonly string[]) =>
  others.length === 0 ? first : `${first} and ${others.length} more`

/**
 * Accepts a database of a newer version if, according to the migrations' names, that version has only added
 * to it.
 *
 * @throws LanyardError DATABASE_UNAVAILABLE
 */
export function assertUsable({ newer, pending }: MigrationStatus): void {
  const contracted = newer.filter((name) => contraction.test(name))
  if (contracted.length > 0) {
    throw new LanyardError('DATABASE_UNAVAILABLE', {
      message: `The database is newer than this version of Lanyard (it has ${contracted.join(', ')}). Start the newer version.`,
    })
  }
  if (newer.length > 0 && pending.length > 0) {
    throw new LanyardError('DATABASE_UNAVAILABLE', {
      message: `A version with another layout made the database: it has ${summarize(newer)}, and lacks ${summarize(pending)}. Nothing was changed. Start with an empty database or DATA_DIR, or start the version that made this database.`,
    })
  }
}
