import type { PGlite } from '@electric-sql/pglite'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Database } from './schema.ts'

export type Engine = 'postgresql' | 'pglite'

export interface OpenDatabase extends AsyncDisposable {
  readonly db: Kysely<Database>
  readonly engine: Engine
  readonly pglite?: PGlite
  readonly pool?: pg.Pool
  /** One round trip; rejects if the database does not respond. */
  ping(): Promise<void>
  /** Waits for running queries. May be called again. */
  close(): Promise<void>
}
