import { usernameKey } from '@lanyard/contracts'
import type { Kysely } from 'kysely'
import type { Database, UserRow } from '../schema.ts'

/** The user with this name, ignoring case. */
export async function findUserByName(db: Kysely<Database>, username: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('username_key', '=', usernameKey(username))
    .executeTakeFirst()
}
