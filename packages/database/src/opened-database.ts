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
  /** One round trip; rejects when the database does not answer. */
  ping(): Promise<void>
  /** Waits for queries under way. May be called again. */
  close(): Promise<void>
}
