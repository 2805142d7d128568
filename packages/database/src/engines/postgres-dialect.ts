import {
  type AbortableOperationOptions,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely'
import type { HeldConnection } from './held-connection.ts'

/** Kysely's PostgreSQL dialect, with the guard against root queries inside a transaction. */
export class GuardedPostgresDialect extends PostgresDialect {
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
