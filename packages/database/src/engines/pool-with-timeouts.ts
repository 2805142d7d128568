import { AsyncLocalStorage } from 'node:async_hooks'
import { LanyardError } from '@lanyard/contracts'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { createStatementNames, type StatementNames } from './statement-names.ts'

const withoutTimeouts = new AsyncLocalStorage<true>()

/** Milliseconds: an hour. Even a migration of many rows ends some day. */
const migrationTimeout = 3_600_000

/** Runs what may take long, migrations: its statements on PostgreSQL are not given up after `answerBound`. */
export const withoutTimeout = <T>(work: () => Promise<T>): Promise<T> => withoutTimeouts.run(true, work)

/** What pg says where no answer came within `query_timeout`. */
const silence = 'Query read timeout'

/**
 * A pool that does not use a connection again on which an answer failed to come. pg itself gives the statement up and
 * keeps the connection, where every later statement queues behind the one without an answer: after a network has
 * forgotten its connections, each request would wait for its time-out, for as long as the process lives.
 *
 * @param named - whether connections keep their statements: not where each transaction may get another one (PgBouncer)
 */
export function poolWithTimeouts(pool: pg.Pool, { named }: { readonly named: boolean }): PostgresPool {
  const names = named ? createStatementNames() : undefined
  // One for each client of pg, not for each time it is lent: Kysely keeps what it knows of a connection in weak maps, and
  // whatever is in those once lives until the next full garbage collection, with all that it refers to.
  const clients = new WeakMap<pg.PoolClient, ClientWithTimeouts>()
  const connect = async () => {
    const client = await pool.connect()
    const known = clients.get(client)
    if (known) return known
    const made = new ClientWithTimeouts(client, names)
    clients.set(client, made)
    return made
  }
  return {
    connect,
    end: () => pool.end(),
    options: pool.options,
  }
}

class ClientWithTimeouts implements PostgresPoolClient {
  readonly #client: pg.PoolClient
  readonly #names: StatementNames | undefined
  #isInTransaction = false
  #silence: Error | undefined

  constructor(client: pg.PoolClient, names: StatementNames | undefined) {
    this.#client = client
    this.#names = names
  }

  query<R>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    statement: string | PostgresCursor<R>,
    parameters: ReadonlyArray<unknown> = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof statement !== 'string') {
      throw new LanyardError('INTERNAL', { cause: new Error('The dialect was made without cursors.') })
    }
    return this.#ask<R>(statement, parameters)
  }

  async #ask<R>(text: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>> {
    // The rollback after it would only wait again.
    if (this.#silence) throw this.#silence
    const hurry = withoutTimeouts.getStore() ? { query_timeout: migrationTimeout } : {}
    const ask = async (name?: string): Promise<PostgresQueryResult<R>> => {
      const query = { ...(name && { name }), text, values: [...parameters], ...hurry }
      const { command, rowCount, rows } = await this.#client.query(query)
      // pg types the command as any text; Kysely looks for those that it knows.
      return { command: command as PostgresQueryResult<R>['command'], rowCount: rowCount ?? 0, rows }
    }
    if (transactionEnds.test(text)) this.#isInTransaction = false
    try {
      const result = await ask(this.#names?.of(text))
      if (transactionBegins.test(text)) this.#isInTransaction = true
      return result
    } catch (error) {
      if (isOutdatedPlan(error)) {
        this.#names?.renew()
        if (!this.#isInTransaction) return ask()
        throw new LanyardError('DATABASE_UNAVAILABLE', { cause: error })
      }
      if (error instanceof Error && error.message === silence) this.#silence = error
      throw error
    }
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#silence !== undefined)
  }
}

const transactionBegins = /^(begin|start transaction)/
const transactionEnds = /^(commit|rollback)$/

/**
 * "cached plan must not change result type": a newer replica has added a column meanwhile. Nothing was run. A transaction
 * cannot go on after it; its caller may repeat it.
 */
const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '0A000' && /cached plan/.test(error.message)
