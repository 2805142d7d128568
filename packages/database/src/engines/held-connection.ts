import { AsyncLocalStorage } from 'node:async_hooks'
import { LanyardError } from '@lanyard/contracts'

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
