import { LanyardError } from '@lanyard/contracts'
import {
  type AbortableOperationOptions,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
} from 'kysely'
import pg from 'pg'
import type { DatabaseLog } from '../log.ts'
import type { OpenDatabase } from '../opened-database.ts'
import { columnParsers, GuardedKysely, HeldConnection, tracedDialect } from './common.ts'
import { poolWithTimeouts } from './pool-with-timeouts.ts'

/** Kysely's PostgreSQL dialect, with the guard against root queries inside a transaction. */
class GuardedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #held: HeldConnection

  constructor(config: PostgresDialectConfig, held: HeldConnection) {
    super(config)
    this.#config = config
    this.#held = held
  }

  override createDriver(): Driver {
    return new GuardedPostgresDriver(this.#config, this.#held)
  }
}

class GuardedPostgresDriver extends PostgresDriver {
  readonly #held: HeldConnection

  constructor(config: PostgresDialectConfig, held: HeldConnection) {
    super(config)
    this.#held = held
  }

  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    this.#held.assertFree()
    return super.acquireConnection(options)
  }
}

/** PostgreSQL 15: the oldest version that gets fixes throughout this release's planned lifetime. */
const oldestVersion = 150_000

/**
 * Milliseconds. The server ends a statement first; the client's own limit, `answerTimeout`, covers a dead
 * server. Connections and locks of a dead client are released after the same time.
 */
const timeouts = {
  connectionTimeoutMillis: 5_000,
  idleTimeoutMillis: 30_000,
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 15_000,
} as const

interface PostgresOptions {
  readonly url: string
  /** Maximum number of connections of this process. */
  readonly maxConnections: number
  /** Milliseconds after which a statement without a response fails and its connection is closed. */
  readonly answerTimeout: number
  /** Whether a connection may keep prepared statements. */
  readonly namedStatements: boolean
  readonly log: DatabaseLog
}

export async function openPostgres({
  url,
  maxConnections,
  answerTimeout,
  namedStatements,
  log,
}: PostgresOptions): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'lanyard',
    max: maxConnections,
    keepAlive: true,
    ...timeouts,
    query_timeout: answerTimeout,
    // Set on this pool, not on pg, because other users of pg in this process expect its defaults.
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        format === 'binary'
          ? pg.types.getTypeParser(oid, 'binary')
          : (columnParsers[oid] ?? pg.types.getTypeParser(oid, 'text')),
    },
  })
  // A broken connection emits 'error', which ends the process if there is no listener. The pool emits it
  // while the connection is idle, the client while a transaction holds it. The next query on it fails anyway.
  const onError = (error: Error) => log.warn({ err: error }, 'A connection to PostgreSQL broke')
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))

  const held = new HeldConnection()
  const dialect = new GuardedPostgresDialect(
    { pool: poolWithTimeouts(pool, { named: namedStatements }) },
    held,
  )
  const db = new GuardedKysely(tracedDialect(dialect), held)
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

/**
 * What the server or the operating system says, for an operator: a missing database, a wrong password, a
 * refused connection. An error about several addresses of one name has a code instead of a text.
 */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || String(Reflect.get(cause, 'code'))
}

async function assertVersion(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query<{ number: string; version: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
    )
    .catch((cause: unknown) => {
      throw new LanyardError('DATABASE_UNAVAILABLE', {
        message: `The database cannot be opened: ${reasonOf(cause)}. Check DATABASE_URL, and that its server runs.`,
        cause,
      })
    })
  const [server] = rows
  if (server && Number(server.number) >= oldestVersion) return
  throw new LanyardError('DATABASE_UNAVAILABLE', {
    message: `PostgreSQL 15 or later is needed; this server is ${server?.version}.`,
  })
}
