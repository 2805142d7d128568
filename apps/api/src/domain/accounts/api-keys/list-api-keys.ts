import type { ApiKeyRow, Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

/** The part of a key that may be shown; it never includes the hash. */
export type ListedApiKey = Omit<ApiKeyRow, 'key_hash' | 'origins'> & { readonly origins: readonly string[] }

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
