import type { PGlite } from '@electric-sql/pglite'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { openPGlite } from './engines/open-pglite.ts'
import { openPostgres } from './engines/open-postgres.ts'
import type { JobsPGlite } from './engines/pglite-jobs.ts'
import { type DatabaseLog, silentLog } from './log.ts'
import type { Database } from './schema.ts'

export type Engine = 'postgresql' | 'pglite'

/**
 * Where pg-boss keeps its jobs: a server, for a pool of its own, or our PGlite instance
 * (`new PgBoss({ db: fromPglite(jobs.pglite), backend: 'pglite' })`).
 */
export type JobsStore = { readonly connectionString: string } | { readonly pglite: JobsPGlite }

export interface OpenDatabase extends AsyncDisposable {
  readonly db: Kysely<Database>
  readonly engine: Engine
  readonly pglite?: PGlite
  readonly pool?: pg.Pool
  readonly jobs: JobsStore
  /** One round trip; rejects when the database does not answer. */
  ping(): Promise<void>
  /** Waits for queries under way. May be called again. */
  close(): Promise<void>
}

export interface OpenDatabaseOptions {
  /** `postgresql://…`, version 15 or later. Absent: PGlite. */
  readonly url?: string | undefined
  /** Where PGlite keeps its files. Absent: in memory. */
  readonly dataDir?: string | undefined
  /** PostgreSQL: connections of this process at most, pg-boss' own not counted. Default: 10. */
  readonly maxConnections?: number | undefined
  readonly log?: DatabaseLog | undefined
}

/**
 * Opens the database; `migrate` comes next.
 *
 * @throws LanyardError DATABASE_UNAVAILABLE when the server does not answer or is too old, or when another
 * process has the PGlite directory open.
 */
export async function openDatabase(options: OpenDatabaseOptions = {}): Promise<OpenDatabase> {
  const { url, dataDir, maxConnections = 10, log = silentLog } = options
  if (url) return openPostgres({ url, maxConnections, log })
  return openPGlite({ dataDir, log })
}
