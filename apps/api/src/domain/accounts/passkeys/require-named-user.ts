import { LanyardError } from '@lanyard/contracts'
import { type Database, findUserByName, type UserRow } from '@lanyard/database'
import type { Kysely } from 'kysely'

/**
 * Requires the user of this name.
 *
 * @throws UNKNOWN_USER
 */
export async function requireNamedUser(database: Kysely<Database>, username: string): Promise<UserRow> {
  const user = await findUserByName(database, username)
  if (user) return user
  throw new LanyardError('UNKNOWN_USER')
}
