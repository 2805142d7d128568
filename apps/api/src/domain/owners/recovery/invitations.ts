import { createHash, randomBytes } from 'node:crypto'
import { type Address, LanyardError, toChecksumAddress } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import { type Kysely, type Selectable, sql } from 'kysely'

/** Milliseconds that a link can be answered. */
const lifetime = 30 * 86_400_000

/** Twice as many as an account can have guardians. */
const maxInvitations = 32

type Row = Selectable<Database['guardian_invitations']>

/** A copy of the database answers no invitation. 16 random bytes need no salt. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Writes an invitation; the user's oldest ones make room. */
export async function invite(
  database: Kysely<Database>,
  { userId, label, now }: { readonly userId: string; readonly label: string; readonly now: Date },
): Promise<{ readonly invitation: string; readonly expiresAt: string }> {
  const invitation = randomBytes(16).toString('base64url')
  const expires_at = new Date(now.getTime() + lifetime)
  await database.transaction().execute(async (transaction) => {
    // One user's invitations are counted one after the other.
    await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    await transaction
      .insertInto('guardian_invitations')
      .values({
        ...{ token_hash: hashOf(invitation), user_id: userId, label, created_at: now, expires_at },
        ...{ guardian: null, answered_at: null },
      })
      .execute()
    await sql`
      delete from guardian_invitations where token_hash in (
        select token_hash from guardian_invitations where user_id = ${userId}
        order by created_at desc, token_hash offset ${maxInvitations}
      )`.execute(transaction)
  })
  return { invitation, expiresAt: expires_at.toISOString() }
}

/** A user's invitations, newest first. */
export async function listInvitations(database: Kysely<Database>, userId: string, now: Date) {
  const rows = await database
    .selectFrom('guardian_invitations')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .execute()
  return Promise.all(
    rows.map(async (row) => ({
      ...{
        label: row.label,
        createdAt: row.created_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
      },
      ...(await describeAnswer(database, row)),
    })),
  )
}

/**
 * Finds an invitation by the secret of its link.
 *
 * @throws UNKNOWN_INVITATION
 */
export async function findInvitation(
  database: Kysely<Database>,
  invitation: string,
  now: Date,
): Promise<Row> {
  const row = await database
    .selectFrom('guardian_invitations')
    .selectAll()
    .where('token_hash', '=', hashOf(invitation))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) throw new LanyardError('UNKNOWN_INVITATION')
  return row
}

/**
 * Answers an invitation once. Two answers at the same time: one counts.
 *
 * @throws UNKNOWN_INVITATION, INVITATION_ANSWERED
 */
export async function answerInvitation(
  database: Kysely<Database>,
  {
    invitation,
    guardian,
    now,
  }: { readonly invitation: string; readonly guardian: Address; readonly now: Date },
) {
  await database
    .updateTable('guardian_invitations')
    .set({ guardian: guardian.toLowerCase(), answered_at: now })
    .where('token_hash', '=', hashOf(invitation))
    .where('expires_at', '>', now)
    .where('guardian', 'is', null)
    .execute()
  const row = await findInvitation(database, invitation, now)
  const { answer } = await describeAnswer(database, row)
  if (answer?.guardian.toLowerCase() === guardian.toLowerCase()) return answer
  throw new LanyardError('INVITATION_ANSWERED')
}

/** Who answered an invitation. */
export async function describeAnswer(database: Kysely<Database>, { guardian, answered_at }: Row) {
  if (guardian === null || answered_at === null) return {}
  const user = await database
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.user_id')
    .select('users.username')
    .where('accounts.address', '=', guardian)
    .where('users.kind', '=', 'passkey')
    .executeTakeFirst()
  return {
    answer: {
      guardian: toChecksumAddress(guardian),
      ...(user && { username: user.username }),
      answeredAt: answered_at.toISOString(),
    },
  }
}
