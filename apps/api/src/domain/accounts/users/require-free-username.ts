import { LanyardError, usernameRefusal } from '@lanyard/contracts'
import { type Database, findUsernameConflict } from '@lanyard/database'
import type { Kysely } from 'kysely'

const reservedMessage =
  'This username is reserved for a user of an earlier service. If it is yours, sign in with the wallet that you used there.'

/**
 * Rejects a name that is not available to a new user.
 *
 * @param reserved - checked when a registration starts: without that it cannot end
 *
 * @throws USERNAME_TAKEN, USERNAME_REFUSED
 */
export async function requireFreeUsername(
  database: Kysely<Database>,
  username: string,
  reserved: readonly string[] = [],
): Promise<void> {
  const conflict = await findUsernameConflict(database, username)
  if (conflict === 'exists') throw new LanyardError('USERNAME_TAKEN')
  if (conflict === 'reserved') throw new LanyardError('USERNAME_TAKEN', { message: reservedMessage })
  const rejection = usernameRefusal(username, reserved)
  if (rejection !== undefined) throw new LanyardError('USERNAME_REFUSED', { message: rejection })
  if (conflict === 'looks-the-same') {
    throw new LanyardError('USERNAME_TAKEN', {
      message: 'A user with a name that looks the same is registered.',
    })
  }
}
