import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Env } from '../../../platform/environment/env.ts'
import type { ApiKey } from './api-key.ts'
import { hashKey, isSameHash, keyIdOf } from './key-text.ts'
import { createStoredKeys } from './stored-keys.ts'
import type { WalletKey } from './wallet-key.ts'

/** Every key that this service knows: those of the environment, of the database, and of its own wallet. */
export interface ApiKeys {
  /**
   * Whose key it is.
   *
   * @throws DATABASE_UNAVAILABLE for a key that only the database knows, while it does not answer
   */
  find(text: string): Promise<ApiKey | undefined>
  /** True when nobody may call without a key. */
  needed(): Promise<boolean>
  /** True for the origin of a page that some publishable key is for. */
  isOrigin(origin: string): Promise<boolean>
  /** The wallet's; absent when no wallet is served. */
  readonly walletKey: WalletKey | undefined
}

interface Dependencies {
  readonly env: Pick<Env, 'API_KEYS' | 'ALLOW_ANONYMOUS' | 'NODE_ENV'>
  readonly database: Kysely<Database>
  readonly log: Logger
  readonly walletKey: WalletKey | undefined
}

export function createApiKeys({ env, database, log, walletKey }: Dependencies): ApiKeys {
  const { API_KEYS, ALLOW_ANONYMOUS, NODE_ENV } = env
  const stored = createStoredKeys({ database, log })
  const configured = API_KEYS.map(({ name, secret }) => ({
    key: { kind: 'secret', name, origins: [] } satisfies ApiKey,
    hash: hashKey(secret),
  }))

  async function find(text: string): Promise<ApiKey | undefined> {
    const hash = hashKey(text)
    // All are compared, so that timing reveals neither whether one matches nor which.
    const [fitting] = configured.filter((one) => isSameHash(one.hash, hash))
    if (fitting) return fitting.key
    if (walletKey && isSameHash(walletKey.hash, hash)) return walletKey
    const id = keyIdOf(text)
    const found = id === undefined ? undefined : await stored.find(id)
    return found && isSameHash(found.hash, hash) ? found : undefined
  }

  return {
    walletKey,
    find,
    async needed() {
      if (ALLOW_ANONYMOUS) return false
      if (NODE_ENV === 'production' || API_KEYS.length > 0) return true
      // Revoking the last key must not open what a key has closed.
      return (await stored.lastKnown()).any
    },
    async isOrigin(origin) {
      const { keys } = await stored.lastKnown()
      return [...keys.values()].some(({ origins }) => origins.includes(origin))
    },
  }
}
