import type { PGlite } from '@electric-sql/pglite'
import { type DatabaseConnection, type Driver, PGliteAdapter, PGliteDialect, PGliteDriver } from 'kysely'
import type { HeldConnection } from './held-connection.ts'

/** Kysely's PGlite dialect, with its one connection given to one caller at a time, in order of request. */
export class ExclusivePGliteDialect extends PGliteDialect {
  readonly #pglite: PGlite
  readonly #held: HeldConnection

  constructor(pglite: PGlite, held: HeldConnection) {
    super({ pglite })
    this.#pglite = pglite
    this.#held = held
  }

  override createDriver(): Driver {
    return new ExclusivePGliteDriver(this.#pglite, this.#held)
  }

  override createAdapter(): PGliteAdapter {
    return new ExclusivePGliteAdapter()
  }
}

/** Kysely has its own mutex for single connections, but it waits before the driver could throw. */
class ExclusivePGliteAdapter extends PGliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class ExclusivePGliteDriver extends PGliteDriver {
  readonly #held: HeldConnection
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(pglite: PGlite, held: HeldConnection) {
    super({ pglite })
    this.#held = held
  }

  /**
   * A caller that aborts while it waits keeps its place; Kysely releases the connection as soon as it is
   * acquired.
   */
  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#held.assertFree()
    const previous = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await previous
    this.#release = resolve
    return super.acquireConnection()
  }

  override async releaseConnection(): Promise<void> {
    this.#release()
  }
}
