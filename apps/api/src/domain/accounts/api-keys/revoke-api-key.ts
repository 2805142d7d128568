import type { ApiKeyRow, Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

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
