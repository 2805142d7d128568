import type { KeyScope } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { ApiKey } from './api-key.ts'
import { newKeyText } from './key-text.ts'

export interface NewApiKey {
  readonly kind: ApiKey['kind']
  /** Letters, digits, `.`, `_` and `-`. */
  readonly name: string
  /** Origins of the pages that may use the key: at least one for a publishable key, none for a secret key. */
  readonly origins: readonly string[]
  /** Default: full. */
  readonly scope?: KeyScope
  /** Absent: the key has limits of its own. */
  readonly project?: string | undefined
}

/**
 * Creates a key and stores its hash. The key works on every replica within seconds.
 *
 * @returns the id and the key itself, which cannot be read again
 */
export async function createApiKey(
  database: Kysely<Database>,
  { kind, name, origins, scope = 'full', project }: NewApiKey,
  now: Date,
): Promise<{ readonly id: string; readonly key: string }> {
  const { id, key, hash } = newKeyText(kind)
  await database
    .insertInto('api_keys')
    .values({
      ...{ id, kind, name, key_hash: hash, origins: JSON.stringify(origins) },
      ...{ scope, project: project ?? null, created_at: now },
    })
    .execute()
  return { id, key }
}
