import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

/**
 * Ends a key forever, on every replica within seconds.
 *
 * @param id - as `listApiKeys` shows it
 * @returns false when no key that still holds has this id
 */
export async function revokeApiKey(database: Kysely<Database>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
