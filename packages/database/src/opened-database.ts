import type { PGlite } from '@electric-sql/pglite'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { JobsPGlite } from './engines/pglite-jobs.ts'
import type { Database } from './schema.ts'

export type Engine = 'postgresql' | 'pglite'

/** What pg-boss hands on to a pool of its own, unread: without a bound, a job queue would wait forever for a server. */
interface JobsPool {
  readonly connectionString: string
  readonly keepAlive: boolean
  /** Milliseconds. */
  readonly connectionTimeoutMillis: number
  readonly query_timeout: number
}

/**
 * Where pg-boss keeps its jobs: a server (`new PgBoss({ ...jobs })`), or our PGlite instance
 * (`new PgBoss({ db: fromPglite(jobs.pglite), backend: 'pglite' })`).
 */
export type JobsStore = JobsPool | { readonly pglite: JobsPGlite }

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
