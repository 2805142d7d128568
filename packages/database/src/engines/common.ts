import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import { LanyardError } from '@lanyard/contracts'
import {
  type AbortableOperationOptions,
  type CompiledQuery,
  type ConnectionBuilder,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type TransactionBuilder,
} from 'kysely'
import type { Database } from '../schema.ts'

/** Object identifiers of PostgreSQL's built-in types (`select oid, typname from pg_type`). */
const INT8 = 20
const NUMERIC = 1700

function parseInt8(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new LanyardError('INTERNAL', { cause: `int8 ${text} is beyond 2^53: its column should be numeric` })
}

/**
 * Parsers for columns where neither engine's default is suitable; the other types are already the same on
 * both (timestamptz → Date, jsonb → parsed).
 *
 * `int8` → number, throws if it is unsafe. `numeric` → bigint, so numeric columns hold integers only.
 */
export const columnParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: parseInt8,
  [NUMERIC]: BigInt,
}

interface TracedStatement {
  readonly sql: string
  /** The pool, or the PGlite, that runs it. */
  readonly source: object
}

const statements = tracingChannel<object, TracedStatement>('lanyard:statement')

/**
 * A dialect that traces every statement on Node's diagnostics channel `lanyard:statement`, with its text as `sql` and what
 * runs it as `source`. Both engines trace the same statements; the end of a transaction is `commit`. Without a subscriber it
 * costs nothing.
 */
export function tracedDialect(dialect: Dialect, source: object): Dialect {
  const traced = <T>(sql: string, run: () => Promise<T>): Promise<T> =>
    statements.tracePromise(run, { sql, source })
  const watched = new WeakSet<DatabaseConnection>()

  function watch(connection: DatabaseConnection): DatabaseConnection {
    if (watched.has(connection)) return connection
    watched.add(connection)
    // bind loses the type parameter
    const execute = connection.executeQuery.bind(connection) as DatabaseConnection['executeQuery']
    connection.executeQuery = <R>(query: CompiledQuery, options?: AbortableOperationOptions) => {
      const run = () => execute<R>(query, options)
      // PostgreSQL's driver commits by a statement, PGlite's by a call. Both are handled below.
      return query.sql === 'commit' ? run() : traced(query.sql, run)
    }
    return connection
  }

  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver()
      const acquire = driver.acquireConnection.bind(driver)
      driver.acquireConnection = async (options) => watch(await acquire(options))
      const commit = driver.commitTransaction.bind(driver)
      driver.commitTransaction = (connection) => traced('commit', () => commit(connection))
      return driver
    },
  }
}

/**
 * Tracks whether the running code is inside a transaction's callback.
 *
 * There, a query on the root `db` instead of on `trx` waits forever on PGlite, for the one connection that
 * its own caller holds. PostgreSQL hides the same mistake: the query runs on another connection, outside the
 * transaction. So it is an error on both.
 */
export class HeldConnection {
  readonly #storage = new AsyncLocalStorage<{ held: boolean }>()

  /** Runs a transaction's callback. Work that it started but did not wait for is unrestricted afterwards. */
  async hold<T>(callback: () => Promise<T>): Promise<T> {
    const state = { held: true }
    try {
      return await this.#storage.run(state, callback)
    } finally {
      state.held = false
    }
  }

  /** @throws LanyardError INTERNAL inside `hold`, with the explanation as its cause. */
  assertFree(): void {
    if (!this.#storage.getStore()?.held) return
    throw new LanyardError('INTERNAL', {
      cause: new Error('A query uses the root database inside a transaction. Pass the transaction instead.'),
    })
  }
}

/**
 * A transaction met a statement whose plan a newer replica's migration has outdated. PostgreSQL rolls the
 * transaction back; statements are parsed again from now on, so that it succeeds when it is run once more.
 */
export class OutdatedPlanError extends LanyardError {
  constructor(cause: unknown) {
    super('DATABASE_UNAVAILABLE', { cause })
  }
}

/** "cached plan must not change result type": a migration has changed a table in the meantime. Nothing was run. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '0A000' && /cached plan/.test(error.message)

/**
 * A Kysely that notifies `HeldConnection` when a callback holds a connection. A builder made by
 * `setIsolationLevel` is a plain Kysely again and is not watched.
 *
 * A transaction's callback runs a second time after an `OutdatedPlanError`. So it changes nothing but the
 * database.
 */
export class GuardedKysely extends Kysely<Database> {
  readonly #held: HeldConnection

  constructor(dialect: Dialect, held: HeldConnection) {
    super({ dialect })
    this.#held = held
  }

  override transaction(): TransactionBuilder<Database> {
    const builder = super.transaction()
    const execute = builder.execute.bind(builder)
    builder.execute = async (callback) => {
      const attempt = () => execute((trx) => this.#held.hold(() => callback(trx)))
      try {
        return await attempt()
      } catch (error) {
        if (error instanceof OutdatedPlanError) return await attempt()
        throw error
      }
    }
    return builder
  }

  override connection(): ConnectionBuilder<Database> {
    const builder = super.connection()
    const execute = builder.execute.bind(builder)
    builder.execute = (callback, options) =>
      execute((connection) => this.#held.hold(() => callback(connection)), options)
    return builder
  }
}
