import type { KeyScope } from '@lanyard/contracts'
import type { ApiKeyRow, Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { ApiKey } from './api-key.ts'
import { type NewKeyText, newKeyText } from './key-text.ts'

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
 * @param text - absent: a new one
 * @returns the id and the key itself, which cannot be read again
 */
export async function createApiKey(
  database: Kysely<Database>,
  { kind, name, origins, scope = 'full', project }: NewApiKey,
  now: Date,
  { id, key, hash }: NewKeyText = newKeyText(kind),
): Promise<{ readonly id: string; readonly key: string }> {
  await database
    .insertInto('api_keys')
    .values({
      ...{ id, kind, name, key_hash: hash, origins: JSON.stringify(origins) },
      ...{ scope, project: project ?? null, created_at: now },
    })
    .execute()
  return { id, key }
}

/**
 * Revokes a key permanently, on every replica within seconds.
 *
 * @param id - as `listApiKeys` shows it
 * @returns its kind and name; undefined when no active key has this id
 */
export const revokeApiKey = (
  database: Kysely<Database>,
  id: string,
  now: Date,
): Promise<Pick<ApiKeyRow, 'kind' | 'name'> | undefined> =>
  database
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['kind', 'name'])
    .executeTakeFirst()

/** The part of a key that may be shown; it never includes the hash. */
type ListedApiKey = Omit<ApiKeyRow, 'key_hash' | 'origins' | 'project_id'> & {
  readonly origins: readonly string[]
}

/** Every key that was ever created, newest first. */
export async function listApiKeys(database: Kysely<Database>): Promise<readonly ListedApiKey[]> {
  const rows = await database
    .selectFrom('api_keys')
    .select(['id', 'kind', 'name', 'origins', 'scope', 'project', 'created_at', 'revoked_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, origins: row.origins as string[] })) // written by createApiKey
}

/** Whether an unrevoked secret key in the database has this name. */
export async function isSecretKeyName(database: Kysely<Database>, name: string): Promise<boolean> {
  const row = await database
    .selectFrom('api_keys')
    .select('id')
    .where('name', '=', name)
    .where('kind', '=', 'secret')
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
