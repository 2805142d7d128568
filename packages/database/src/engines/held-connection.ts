import { AsyncLocalStorage } from 'node:async_hooks'
import { LanyardError } from '@lanyard/contracts'
import { type ConnectionBuilder, type Dialect, Kysely, type TransactionBuilder } from 'kysely'
import type { Database } from '../schema.ts'

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
 * A Kysely that notifies `HeldConnection` when a callback holds a connection. A builder made by
 * `setIsolationLevel` is a plain Kysely again and is not watched.
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
    builder.execute = (callback) => execute((trx) => this.#held.hold(() => callback(trx)))
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
