import { type ConnectionBuilder, type Dialect, Kysely, type TransactionBuilder } from 'kysely'
import type { Database } from '../schema.ts'
import type { HeldConnection } from './held-connection.ts'

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
