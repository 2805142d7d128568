import { AsyncLocalStorage } from 'node:async_hooks'
import { LanyardError } from '@lanyard/contracts'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { isOutdatedPlan, OutdatedPlanError } from './common.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'

const withoutTimeouts = new AsyncLocalStorage<true>()

/** Milliseconds: one hour. Even a migration of many rows must end eventually. */
const migrationTimeout = 3_600_000

/** Runs slow work such as migrations: on PostgreSQL its statements do not time out after `answerTimeout`. */
export const withoutTimeout = <T>(work: () => Promise<T>): Promise<T> => withoutTimeouts.run(true, work)

/** pg's message when there is no response within `query_timeout`. */
const silence = 'Query read timeout'

/**
 * A pool that does not reuse a connection on which a response failed to arrive. pg itself abandons only the
 * statement and keeps the connection, where every later statement queues behind the unanswered one. After a
 * network has dropped its connections, each request would wait for its time-out until the process ends.
 *
 * @param named - whether connections keep their statements; false if each transaction may get another
 * connection (PgBouncer)
 */
export function poolWithTimeouts(pool: pg.Pool, { named }: { readonly named: boolean }): PostgresPool {
  const names = named ? createStatementNames() : undefined
  // One for each pg client, not for each checkout: Kysely stores its data about a connection in weak maps,
  // and their entries live until the next full garbage collection, with everything that they refer to.
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
    // A rollback after it would only wait again.
    if (this.#silence) throw this.#silence
    const timeoutOverride = withoutTimeouts.getStore() ? { query_timeout: migrationTimeout } : {}
    const ask = async (name?: string): Promise<PostgresQueryResult<R>> => {
      const query = { ...(name && { name }), text, values: [...parameters], ...timeoutOverride }
      const { command, rowCount, rows } = await this.#client.query(query)
      // pg types the command as any text; Kysely checks for the ones that it knows.
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
        throw new OutdatedPlanError(error)
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
