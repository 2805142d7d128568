import { LanyardError } from '@lanyard/contracts'
import {
  type AbortableOperationOptions,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
} from 'kysely'
import pg from 'pg'
import type { DatabaseLog } from '../log.ts'
import type { OpenDatabase } from '../opened-database.ts'
import { columnParsers, GuardedKysely, HeldConnection, tracedDialect } from './common.ts'
import { type ConnectionQueue, FairPool } from './fair-pool.ts'
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

  override createAdapter(): DialectAdapter {
    return new UnlockedAdapter()
  }
}

/**
 * Without Kysely's lock of migrations, which belongs to a session: behind a pooler it would stay with a connection that others
 * use. `migrate` has a lock of its own.
 */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
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

/** Milliseconds. */
const poolTimeouts = { connectionTimeoutMillis: 5_000, idleTimeoutMillis: 30_000 } as const

/**
 * Milliseconds. The server ends a statement first; the client's own limit, `answerTimeout`, covers a dead
 * server. Connections and locks of a dead client are released after the same time.
 */
const serverTimeouts = { statement_timeout: 10_000, idle_in_transaction_session_timeout: 15_000 } as const

/**
 * A named statement is planned once for a connection, for any values. PostgreSQL otherwise plans it with the values of its
 * first five uses and, as long as such plans look cheaper, at each further use: a third of its processor time. The tests of
 * plans run with this setting on large tables. A URL with `options` of its own keeps those instead.
 */
const genericPlans = { options: '-c plan_cache_mode=force_generic_plan' } as const

type SessionSettings = Partial<typeof serverTimeouts & typeof genericPlans>

interface PostgresOptions {
  readonly url: string
  /** Maximum number of connections of this process. */
  readonly maxConnections: number
  /** Milliseconds after which a statement without a response fails and its connection is closed. */
  readonly answerTimeout: number
  /** Whether a connection may keep prepared statements. Absent: unless a pooler answers. */
  readonly namedStatements?: boolean | undefined
  /** Of a pool: who waits for one of its connections. */
  readonly createQueue: () => ConnectionQueue
  readonly log: DatabaseLog
}

export async function openPostgres({
  url,
  maxConnections,
  answerTimeout,
  namedStatements,
  createQueue,
  log,
}: PostgresOptions): Promise<OpenDatabase> {
  const onError = (error: Error) => log.warn({ err: error }, 'A connection to PostgreSQL broke')
  const createPool = (settings: SessionSettings) => {
    const config = {
      connectionString: url,
      application_name: 'lanyard',
      max: maxConnections,
      keepAlive: true,
      ...poolTimeouts,
      ...settings,
      query_timeout: answerTimeout,
      // Set on this pool, not on pg, because other users of pg in this process expect its defaults.
      types: {
        getTypeParser: (oid: number, format?: 'text' | 'binary') =>
          format === 'binary'
            ? pg.types.getTypeParser(oid, 'binary')
            : (columnParsers[oid] ?? pg.types.getTypeParser(oid, 'text')),
      },
    }
    const pool = new FairPool(config, createQueue())
    // A broken connection emits 'error', which ends the process if there is no listener. The pool emits it
    // while the connection is idle, the client while a transaction holds it. The next query on it fails anyway.
    pool.on('error', onError)
    pool.on('connect', (client) => client.on('error', onError))
    return pool
  }
  let connected = await connect(createPool, {
    ...serverTimeouts,
    ...(namedStatements !== false && genericPlans),
  })
  const named = namedStatements ?? !connected.server.pooled
  if (!named && namedStatements !== false) {
    // Without names, each statement is planned for its values anyway.
    await connected.pool.end()
    connected = await connect(createPool, serverTimeouts)
  }
  const { pool, server } = connected
  if (!server.hasTimeout)
    log.warn({}, 'The database lets statements run without end: set statement_timeout for its role')

  const held = new HeldConnection()
  const dialect = new GuardedPostgresDialect({ pool: poolWithTimeouts(pool, { named }) }, held)
  const db = new GuardedKysely(tracedDialect(dialect, pool), held)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= db.destroy().then(() => (pool.ended ? undefined : pool.end()))
    return closing
  }

  return {
    db,
    engine: 'postgresql',
    pool: named ? pool : withoutNames(pool),
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

interface Server {
  /** Whether something between this process and the server hands out its connections. */
  readonly pooled: boolean
  /** Whether the server ends a statement that takes too long. */
  readonly hasTimeout: boolean
}

/** A pool that works: with these settings, or without if a pooler rejects them, as PgBouncer does. */
async function connect(
  createPool: (settings: SessionSettings) => pg.Pool,
  settings: SessionSettings,
): Promise<{ readonly pool: pg.Pool; readonly server: Server }> {
  const attempt = async (some: SessionSettings) => {
    const pool = createPool(some)
    try {
      return { pool, server: await readServer(pool) }
    } catch (error) {
      await pool.end()
      throw error
    }
  }
  try {
    return await attempt(settings).catch((error: unknown) => {
      if (/unsupported startup parameter/.test(reasonOf(error))) return attempt({})
      throw error
    })
  } catch (cause) {
    if (cause instanceof LanyardError) throw cause
    throw new LanyardError('DATABASE_UNAVAILABLE', {
      message: `The database cannot be opened: ${reasonOf(cause)}. Check DATABASE_URL, and that its server runs.`,
      cause,
    })
  }
}

async function readServer(pool: pg.Pool): Promise<Server> {
  const client = await pool.connect()
  let failed = true
  try {
    const { rows } = await client.query<{ number: string; version: string; process: number; limit: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as version,
        pg_backend_pid() as process, current_setting('statement_timeout') as limit`,
    )
    const [server] = rows
    if (!server || Number(server.number) < oldestVersion) {
      throw new LanyardError('DATABASE_UNAVAILABLE', {
        message: `PostgreSQL 15 or later is needed; this server is ${server?.version}.`,
      })
    }
    failed = false
    // A pooler answers the handshake itself, with an id of its own.
    return {
      pooled: Reflect.get(client, 'processID') !== server.process,
      hasTimeout: server.limit !== '0',
    }
  } finally {
    client.release(failed) // a connection that does not answer would not end either
  }
}

/** The same pool for those who name their statements: the next statement may reach another connection of the server. */
function withoutNames(pool: pg.Pool): pg.Pool {
  const query = (statement: string | pg.QueryConfig, values?: unknown[]) => {
    if (typeof statement === 'string') return pool.query(statement, values)
    const { name: _, ...unnamed } = statement
    return pool.query(unnamed, values)
  }
  return Object.create(pool, { query: { value: query }, connect: { value: pool.connect.bind(pool) } })
}
