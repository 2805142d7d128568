import { LanyardError, usernameKey } from '@lanyard/contracts'
import type { ChallengesTable, Database } from '@lanyard/database'
import type { Kysely, Selectable } from 'kysely'
import { requireUnreserved } from '../identities/identities.ts'
import { requireFreeUsername } from '../users/require-free-username.ts'
import { findChallenge } from './challenges.ts'
import { readChallenge } from './client-data.ts'
import type { RegistrationResponse } from './verify-registration.ts'

/**
 * The unused challenge of a new user's registration.
 *
 * @throws USERNAME_TAKEN, USERNAME_REFUSED; UNKNOWN_USER when no registration of this name was started;
 * VERIFICATION_FAILED
 */
export async function findRegistrationChallenge(
  database: Kysely<Database>,
  username: string,
  { response }: RegistrationResponse,
  now: Date,
): Promise<Selectable<ChallengesTable>> {
  const subject = usernameKey(username)
  await requireFreeUsername(database, username)
  await requireUnreserved(database, username, { now })
  const begun = await database
    .selectFrom('challenges')
    .select('challenge')
    .where('ceremony', '=', 'register')
    .where('subject', '=', subject)
    .limit(1)
    .executeTakeFirst()
  if (!begun) {
    throw new LanyardError('UNKNOWN_USER', { message: 'Nobody with this name has started to register.' })
  }
  return findChallenge(database, {
    challenge: readChallenge(response.clientDataJSON),
    ceremony: 'register',
    subject,
    now,
  })
}
