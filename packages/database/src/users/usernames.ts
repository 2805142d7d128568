import { usernameKey, usernameSkeleton } from '@lanyard/contracts'
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

/** `exists`: a user has this very name, ignoring case. `looks-the-same`: a user's name looks like it. */
export type UsernameConflict = 'exists' | 'looks-the-same'

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
    .select('username_key')
    .where((where) =>
      where.or([
        where('username_key', '=', key),
        where('username_skeleton', '=', usernameSkeleton(username)),
      ]),
    )
    .execute()
  if (rows.some(({ username_key }) => username_key === key)) return 'exists'
  return rows.length > 0 ? 'looks-the-same' : undefined
}
