import { LanyardError } from '@lanyard/contracts'
import { sql } from 'kysely'
import pg from 'pg'
import type { DatabaseLog } from '../log.ts'
import type { OpenDatabase } from '../opened-database.ts'
import { columnParsers } from './column-types.ts'
import { GuardedKysely } from './guarded-kysely.ts'
import { HeldConnection } from './held-connection.ts'
import { poolWithTimeouts } from './pool-with-timeouts.ts'
import { GuardedPostgresDialect } from './postgres-dialect.ts'
import { type AroundStatement, watchedDialect } from './watched-dialect.ts'

/** PostgreSQL 15: the oldest version that still gets fixes for as long as this release is meant to run. */
const oldestVersion = 150_000

/**
 * Milliseconds. A statement is ended by the server first; the client's own limit, `answerBound`, is for a server that is
 * gone. What a client that is gone holds is free again after as long.
 */
const timeouts = {
  connectionTimeoutMillis: 5_000,
  idleTimeoutMillis: 30_000,
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 15_000,
} as const

export interface PostgresOptions {
  readonly url: string
  /** Connections of this process at most. */
  readonly maxConnections: number
  /** Milliseconds until a server that does not answer a statement is given up, and the connection with it. */
  readonly answerBound: number
  /** Whether a connection may keep prepared statements. */
  readonly namedStatements: boolean
  readonly log: DatabaseLog
  readonly aroundStatement?: AroundStatement | undefined
}

export async function openPostgres({
  url,
  maxConnections,
  answerBound,
  namedStatements,
  log,
  aroundStatement,
}: PostgresOptions): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'lanyard',
    max: maxConnections,
    keepAlive: true,
    ...timeouts,
    query_timeout: answerBound,
    // Of this pool, not of pg: whoever else uses it in this process expects its defaults.
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        format === 'binary'
          ? pg.types.getTypeParser(oid, 'binary')
          : (columnParsers[oid] ?? pg.types.getTypeParser(oid, 'text')),
    },
  })
  // A connection that breaks emits 'error', which ends the process where nobody listens: from the pool while
  // it is idle, from the client while a transaction holds it. The next query on it fails by itself.
  const onError = (error: Error) => log.warn({ err: error }, 'A connection to PostgreSQL broke')
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))

  const held = new HeldConnection()
  const dialect = new GuardedPostgresDialect(
    { pool: poolWithTimeouts(pool, { named: namedStatements }) },
    held,
  )
  const db = new GuardedKysely(aroundStatement ? watchedDialect(dialect, aroundStatement) : dialect, held)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= db.destroy().then(() => (pool.ended ? undefined : pool.end()))
    return closing
  }

  try {
    await assertVersion(pool)
  } catch (error) {
    await close()
    throw error
  }
  return {
    db,
    engine: 'postgresql',
    pool,
    ping: async () => void (await sql`select 1`.execute(db)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function assertVersion(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query<{ number: string; version: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
    )
    .catch((cause: unknown) => {
      throw new LanyardError('DATABASE_UNAVAILABLE', { cause })
    })
  const [server] = rows
  if (server && Number(server.number) >= oldestVersion) return
  throw new LanyardError('DATABASE_UNAVAILABLE', {
    message: `PostgreSQL 15 or later is needed; this server is ${server?.version}.`,
  })
}
