import { clearInterval, setInterval } from 'node:timers'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Env } from '../../../platform/environment/env.ts'
import { withTimeout } from '../../../platform/timeouts.ts'
import type { ApiKey } from './api-key.ts'
import { hashKey, isSameHash, keyIdOf } from './key-text.ts'
import type { WalletKey } from './wallet-key.ts'

/** Milliseconds for which a reading is used. A revoked key works for two seconds at most, streams included. */
export const freshFor = 1_500

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
interface StoredKeys {
  /** @throws DATABASE_UNAVAILABLE when the keys cannot be read: the key may have been revoked since */
  find(id: string): Promise<StoredKey | undefined>
  /** The last reading, when no newer one is available. */
  lastKnown(): Promise<Reading>
}

interface StoredKeysDependencies {
  readonly database: Kysely<Database>
  readonly log: Logger
  /** Milliseconds. Monotonic: setting the clock back must not prolong a revoked key. */
  readonly clock?: () => number
}

function createStoredKeys({
  database,
  log,
  clock = () => performance.now(),
}: StoredKeysDependencies): StoredKeys {
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

/** All keys of this service: from the environment, from the database, and the key of its own wallet. */
export interface ApiKeys {
  /**
   * Finds a key by its text.
   *
   * @throws DATABASE_UNAVAILABLE when only the database can know the key and it does not answer
   */
  find(text: string): Promise<ApiKey | undefined>
  /** Aborted within two seconds after the key is revoked. It stops watching when `until` is aborted. */
  revocationOf(key: ApiKey, until: AbortSignal): AbortSignal
  /** True when every call needs a key. */
  needed(): Promise<boolean>
  /** True for an origin that a publishable key allows. */
  isOrigin(origin: string): Promise<boolean>
  /** The wallet's key; absent when no wallet is served. */
  readonly walletKey: WalletKey | undefined
}

interface Dependencies extends StoredKeysDependencies {
  readonly env: Pick<Env, 'API_KEYS' | 'ALLOW_ANONYMOUS' | 'NODE_ENV'>
  /** The first one is in the wallet's page. All are accepted. Empty when no wallet is served. */
  readonly walletKeys: readonly WalletKey[]
}

/** Milliseconds between two checks whether a key that has a stream was revoked. */
export const revocationCheck = 250

export function createApiKeys({ env, walletKeys, ...dependencies }: Dependencies): ApiKeys {
  const { API_KEYS, ALLOW_ANONYMOUS, NODE_ENV } = env
  const stored = createStoredKeys(dependencies)
  const configured = API_KEYS.map(({ name, secret }) => ({
    key: { kind: 'secret', name, origins: [] } satisfies ApiKey,
    hash: hashKey(secret),
  }))

  async function find(text: string): Promise<ApiKey | undefined> {
    const hash = hashKey(text)
    // All hashes are compared, so that timing reveals neither whether one matches nor which one.
    const [fitting] = configured.filter((one) => isSameHash(one.hash, hash))
    if (fitting) return fitting.key
    const [ofWallet] = walletKeys.filter((one) => isSameHash(one.hash, hash))
    if (ofWallet) return ofWallet
    const id = keyIdOf(text)
    const found = id === undefined ? undefined : await stored.find(id)
    return found && isSameHash(found.hash, hash) ? found : undefined
  }

  return {
    walletKey: walletKeys[0],
    find,
    revocationOf({ id }, until) {
      const revoked = new AbortController()
      if (id === undefined) return revoked.signal // a configured key
      const check = async () => {
        // While the database does not answer, nobody knows, and nothing is sent either.
        const key = await stored.find(id).catch(() => 'unknown')
        if (key === undefined) revoked.abort()
      }
      const timer = setInterval(check, revocationCheck).unref()
      until.addEventListener('abort', () => clearInterval(timer), { once: true })
      return revoked.signal
    },
    async needed() {
      if (ALLOW_ANONYMOUS) return false
      if (NODE_ENV === 'production' || API_KEYS.length > 0) return true
      // Revoking the last key must not open access again.
      return (await stored.lastKnown()).any
    },
    async isOrigin(origin) {
      const { keys } = await stored.lastKnown()
      return [...keys.values()].some(({ origins }) => origins.includes(origin))
    },
  }
}
