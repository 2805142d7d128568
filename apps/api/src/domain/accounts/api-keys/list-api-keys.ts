import type { ApiKeyRow, Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

/** What may be shown of a key: never its hash. */
export type ListedApiKey = Omit<ApiKeyRow, 'key_hash' | 'origins'> & { readonly origins: readonly string[] }

/** Every key that was ever made, the newest first. */
export async function listApiKeys(database: Kysely<Database>): Promise<readonly ListedApiKey[]> {
  const rows = await database
    .selectFrom('api_keys')
    .select(['id', 'kind', 'name', 'origins', 'created_at', 'revoked_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, origins: row.origins as string[] })) // written by createApiKey
}
