import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { withTimeout } from '../../../platform/timeouts/with-timeout.ts'
import type { ApiKey } from './api-key.ts'

/** Milliseconds for which a reading is used. A revoked key works for two seconds at most, streams included. */
const freshFor = 1_500

/**
 * Milliseconds that the database has to answer: as long as for a connection. One that is only slow must not look
 * as if it were away.
 */
const readTimeout = 5_000

/** Milliseconds for which a failed reading is not retried. */
const failedFor = 1_000

interface StoredKey extends ApiKey {
  readonly hash: string
}

interface Reading {
  /** The active keys, by id. */
  readonly keys: ReadonlyMap<string, StoredKey>
  /** True when any key was ever created, revoked or not. */
  readonly any: boolean
}

/**
 * The keys of the database. They are read on demand when the last reading is older than a second and a half. The
 * whole table is read, so guessing keys causes no extra load. An installation has dozens of keys, not
 * millions.
 */
export interface StoredKeys {
  /** @throws DATABASE_UNAVAILABLE when the keys cannot be read: the key may have been revoked since */
  find(id: string): Promise<StoredKey | undefined>
  /** The last reading, when no newer one is available. */
  lastKnown(): Promise<Reading>
}

interface Dependencies {
  readonly database: Kysely<Database>
  readonly log: Logger
}

/** Monotonic: setting the clock back must not prolong a revoked key. */
const clock = () => performance.now()

export function createStoredKeys({ database, log }: Dependencies): StoredKeys {
  let known: Reading = { keys: new Map(), any: false }
  let freshUntil = Number.NEGATIVE_INFINITY
  let failedUntil = Number.NEGATIVE_INFINITY
  let reading: Promise<boolean> | undefined

  async function read(): Promise<boolean> {
    const began = clock()
    try {
      const rows = await withTimeout(readTimeout, database.selectFrom('api_keys').selectAll().execute())
      const holding = rows.filter(({ revoked_at }) => revoked_at === null)
      known = {
        any: rows.length > 0,
        keys: new Map(
          holding.map(({ id, kind, name, origins, scope, project, key_hash }) => [
            id,
            {
              ...{ id, kind, name, scope, hash: key_hash },
              origins: origins as string[], // written by createApiKey
              ...(project !== null && { project }),
            },
          ]),
        ),
      }
      freshUntil = began + freshFor
      return true
    } catch (error) {
      if (failedUntil < began) log.warn({ err: error }, 'the API keys of the database cannot be read')
      failedUntil = clock() + failedFor
      return false
    } finally {
      reading = undefined
    }
  }

  /** False when the database does not answer. */
  async function refresh(): Promise<boolean> {
    const now = clock()
    if (now < freshUntil) return true
    if (now < failedUntil) return false
    reading ??= read()
    return reading
  }

  return {
    async find(id) {
      if (await refresh()) return known.keys.get(id)
      throw new LanyardError('DATABASE_UNAVAILABLE')
    },
    async lastKnown() {
      await refresh()
      return known
    },
  }
}
