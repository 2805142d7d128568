import { usernameKey, usernameSkeleton } from '@lanyard/contracts'
import type { Kysely } from 'kysely'
import type { Database, UserRow } from '../schema.ts'

/** The user with this name, ignoring case. */
export async function findUserByName(db: Kysely<Database>, username: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('username_key', '=', usernameKey(username))
    .where('reserved', '=', false)
    .executeTakeFirst()
}

/**
 * `exists`: a user has this very name, ignoring case. `reserved`: it waits for a user who was imported. `looks-the-same`: a name
 * of a user, or one that waits, looks like it.
 */
export type UsernameConflict = 'exists' | 'reserved' | 'looks-the-same'

/**
 * The conflict that prevents a new user from taking a name. Undefined if no user has this name or one that
 * looks like it (UTS 39 §4).
 */
export async function findUsernameConflict(
  db: Kysely<Database>,
  username: string,
): Promise<UsernameConflict | undefined> {
  const key = usernameKey(username)
  const rows = await db
    .selectFrom('users')
    .select(['username_key', 'reserved'])
    .where((where) =>
      where.or([
        where('username_key', '=', key),
        where('username_skeleton', '=', usernameSkeleton(username)),
      ]),
    )
    .execute()
  const same = rows.find(({ username_key }) => username_key === key)
  if (same) return same.reserved ? 'reserved' : 'exists'
  return rows.length > 0 ? 'looks-the-same' : undefined
}
