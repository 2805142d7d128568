import { randomBytes } from 'node:crypto'
import { LanyardError } from '@lanyard/contracts'
import type { ChallengesTable, Database } from '@lanyard/database'
import type { Kysely, Selectable, Transaction } from 'kysely'
import { verificationFailed } from './verification-failed.ts'

type Ceremony = ChallengesTable['ceremony']

/** Milliseconds. Long enough to fetch a phone (WebAuthn L3 §15.1 recommends 300 to 600 seconds). */
export const challengeLifetime = 5 * 60_000

/** The subject of a ceremony that identifies the user. */
export const anyone = 'anyone'

/** Milliseconds that an expired challenge is kept, so that a late answer gets the reason for its refusal. */
const keepExpired = 60 * 60_000

/** WebAuthn L3 §13.4.3 requires at least 16 bytes. */
const challengeBytes = 32

interface NewChallenge {
  readonly ceremony: Ceremony
  /** The user or credential that it was issued for. The answer must come from the same one. */
  readonly subject: string
  /** null while the ceremony has not identified the user. */
  readonly userId: string | null
  readonly now: Date
}

/** Stores a new random challenge, base64url. */
export async function issueChallenge(
  database: Kysely<Database>,
  { ceremony, subject, userId, now }: NewChallenge,
): Promise<string> {
  const challenge = randomBytes(challengeBytes).toString('base64url')
  await database
    .deleteFrom('challenges')
    .where('expires_at', '<', new Date(now.getTime() - keepExpired))
    .execute()
  await database
    .insertInto('challenges')
    .values({
      challenge,
      ceremony,
      subject,
      user_id: userId,
      expires_at: new Date(now.getTime() + challengeLifetime),
      used_at: null,
    })
    .execute()
  return challenge
}

interface ChallengeUse {
  readonly challenge: string
  readonly ceremony: Ceremony
  readonly subject: string
  readonly now: Date
}

/**
 * Finds the challenge that a response answers, before the response is verified. The challenge stays unused.
 *
 * @throws VERIFICATION_FAILED when it was issued for another ceremony or user, has expired, or was used
 */
export async function findChallenge(
  database: Kysely<Database>,
  { challenge, ceremony, subject, now }: ChallengeUse,
): Promise<Selectable<ChallengesTable>> {
  const row = await database
    .selectFrom('challenges')
    .selectAll()
    .where('challenge', '=', challenge)
    .where('ceremony', '=', ceremony)
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (!row) throw verificationFailed('its challenge was not issued for this ceremony and user.')
  if (row.used_at !== null) throw verificationFailed('its challenge was used before.')
  if (row.expires_at <= now) throw verificationFailed('its challenge expired after five minutes.')
  return row
}

/**
 * Marks a challenge as used, in the same transaction as the ceremony's effect, so both happen or neither. Of
 * two concurrent answers, the second finds the challenge used.
 *
 * @throws VERIFICATION_FAILED
 */
export async function consumeChallenge(
  transaction: Transaction<Database>,
  { challenge, ceremony, subject, now }: ChallengeUse,
): Promise<void> {
  const used = await transaction
    .updateTable('challenges')
    .set({ used_at: now })
    .where('challenge', '=', challenge)
    .where('ceremony', '=', ceremony)
    .where('subject', '=', subject)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('challenge')
    .executeTakeFirst()
  if (!used) throw verificationFailed('its challenge was used before.')
}

/** The user of a challenge that was issued for a known user. */
export function challengedUser({ user_id }: Selectable<ChallengesTable>): string {
  if (user_id !== null) return user_id
  throw new LanyardError('INTERNAL', { cause: 'a challenge of this ceremony has no user' })
}
