import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

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
