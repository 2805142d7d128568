import { endpoints, usernameRefusal } from '@lanyard/contracts'
import { findUsernameConflict, type UsernameConflict } from '@lanyard/database'
import { isReserved } from '../../domain/accounts/identities/identities.ts'
import { implement } from '../../pipeline/implement.ts'

export const checkUsername = implement(endpoints.user.checkUsername, async ({ username }, { services }) => {
  const { database, now } = services
  const conflict = await findUsernameConflict(database, username)
  const isFree = conflict === undefined && !(await isReserved(database, username, { now: now() }))
  return {
    value: conflict === 'exists',
    message: describeConflict(
      isFree ? undefined : (conflict ?? 'looks-the-same'),
      usernameRefusal(username, services.env.RESERVED_USERNAMES),
    ),
  }
})

function describeConflict(conflict: UsernameConflict | undefined, rejection: string | undefined): string {
  if (conflict === 'exists') return 'This username exists'
  if (rejection !== undefined) return `This username does not exist, and is unavailable. ${rejection}`
  if (conflict === 'reserved')
    return 'This username does not exist, and is unavailable. It is reserved for a user of an earlier service.'
  if (conflict === 'looks-the-same')
    return 'This username does not exist, and is unavailable. Another one looks the same.'
  return 'This username does not exist'
}
