import { usernameKey } from '@lanyard/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../schema.ts'

/** True when a user has this name, ignoring case. */
export async function usernameExists(db: Kysely<Database>, username: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(username))
    .executeTakeFirst()
  return row !== undefined
}
