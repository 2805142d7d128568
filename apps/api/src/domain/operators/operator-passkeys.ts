import { randomBytes } from 'node:crypto'
import { LanyardError } from '@lanyard/contracts'
import type { Database, OperatorRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import { type AssertionBody, toAuthenticationResponse } from '../accounts/passkeys/authentication-response.ts'
import { challengeLifetime } from '../accounts/passkeys/challenges.ts'
import { readChallenge } from '../accounts/passkeys/client-data.ts'
import { creationOptions, requestOptions } from '../accounts/passkeys/options.ts'
import type { RelyingParty } from '../accounts/passkeys/relying-party.ts'
import { verificationFailed } from '../accounts/passkeys/verification-failed.ts'
import { verifyAssertion } from '../accounts/passkeys/verify-assertion.ts'
import { type RegistrationResponse, verifyRegistration } from '../accounts/passkeys/verify-registration.ts'
import { hashToken } from './secret-token.ts'

/** The name that the authenticator shows, so that nobody takes it for a wallet's passkey. */
const consoleName = 'Lanyard console'

interface Ceremony {
  readonly database: Kysely<Database>
  readonly relyingParty: RelyingParty
  readonly now: Date
}

async function issueChallenge({ database, now }: Ceremony, tokenHash: string | null): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  await database.deleteFrom('operator_challenges').where('expires_at', '<', now).execute()
  await database
    .insertInto('operator_challenges')
    .values({
      challenge,
      token_hash: tokenHash,
      expires_at: new Date(now.getTime() + challengeLifetime),
    })
    .execute()
  return challenge
}

/** Deletes the challenge that a response answers, so that it works once. */
async function consumeChallenge(
  transaction: Transaction<Database>,
  challenge: string,
  tokenHash: string | null,
  now: Date,
): Promise<void> {
  const used = await transaction
    .deleteFrom('operator_challenges')
    .where('challenge', '=', challenge)
    .where('token_hash', tokenHash === null ? 'is' : '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('challenge')
    .executeTakeFirst()
  if (!used) throw verificationFailed('its challenge was used before, or expired after five minutes.')
}

/**
 * The person that a link invites.
 *
 * @throws FORBIDDEN for a link that is unknown, used or expired
 */
export async function findInvited(
  database: Kysely<Database>,
  token: string,
  now: Date,
): Promise<Pick<OperatorRow, 'id' | 'name' | 'role'>> {
  const row = await database
    .selectFrom('operator_invitations as invitation')
    .innerJoin('operators', 'operators.id', 'invitation.operator_id')
    .select(['operators.id', 'operators.name', 'operators.role'])
    .where('invitation.token_hash', '=', hashToken(token))
    .where('invitation.used_at', 'is', null)
    .where('invitation.expires_at', '>', now)
    .where('operators.disabled_at', 'is', null)
    .executeTakeFirst()
  if (row) return row
  throw new LanyardError('FORBIDDEN', {
    message:
      'This invitation was used, has expired or never existed. Ask an administrator for a new one: lanyard operators invite <name>.',
  })
}

/** Options with which an invited person creates a passkey. @throws FORBIDDEN */
export async function invitationOptions(ceremony: Ceremony, token: string) {
  const { id, name } = await findInvited(ceremony.database, token, ceremony.now)
  const challenge = await issueChallenge(ceremony, hashToken(token))
  const options = await creationOptions(ceremony.relyingParty, {
    user: { id, username: name },
    challenge,
    exclude: [],
  })
  return {
    ...options,
    rp: { ...options.rp, name: consoleName },
    // The sign-in names nobody, so the authenticator has to know the passkey itself.
    authenticatorSelection: {
      ...options.authenticatorSelection,
      residentKey: 'required' as const,
      requireResidentKey: true,
    },
  }
}

/**
 * Registers the passkey of an invited person. The link then works no more.
 *
 * @param andThen - runs in the same transaction
 * @throws FORBIDDEN, VERIFICATION_FAILED
 */
export async function acceptInvitation<T>(
  { database, relyingParty, now }: Ceremony,
  token: string,
  response: RegistrationResponse,
  andThen: (
    transaction: Transaction<Database>,
    operator: Pick<OperatorRow, 'id' | 'name' | 'role'>,
  ) => Promise<T>,
): Promise<T> {
  const operator = await findInvited(database, token, now)
  const challenge = readChallenge(response.response.clientDataJSON)
  const credential = await verifyRegistration(relyingParty, challenge, response)
  return database.transaction().execute(async (transaction) => {
    await consumeChallenge(transaction, challenge, hashToken(token), now)
    const invitation = await transaction
      .updateTable('operator_invitations')
      .set({ used_at: now })
      .where('token_hash', '=', hashToken(token))
      .where('used_at', 'is', null)
      .returning('operator_id')
      .executeTakeFirst()
    if (!invitation) throw verificationFailed('its invitation was used before.')
    const inserted = await transaction
      .insertInto('operator_passkeys')
      .values({
        ...{ id: credential.id, operator_id: operator.id, public_key: credential.publicKey },
        ...{ counter: credential.counter, backup_eligible: credential.backupEligible },
        ...{ transports: JSON.stringify(credential.transports), created_at: now, last_used_at: now },
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!inserted) throw verificationFailed('this passkey is already registered.')
    return andThen(transaction, operator)
  })
}

/** Options for a sign-in that names nobody, so it tells nobody who the operators are. */
export const signInOptions = async (ceremony: Ceremony) =>
  requestOptions(ceremony.relyingParty, { challenge: await issueChallenge(ceremony, null), allow: [] })

/**
 * Verifies a sign-in.
 *
 * @param andThen - runs in the transaction that uses up the challenge
 * @throws VERIFICATION_FAILED
 */
export async function signIn<T>(
  { database, relyingParty, now }: Ceremony,
  body: AssertionBody,
  andThen: (
    transaction: Transaction<Database>,
    operator: Pick<OperatorRow, 'id' | 'name' | 'role'>,
  ) => Promise<T>,
): Promise<T> {
  const response = toAuthenticationResponse(body)
  const row = await database
    .selectFrom('operator_passkeys as passkey')
    .innerJoin('operators', 'operators.id', 'passkey.operator_id')
    .selectAll('passkey')
    .select(['operators.name', 'operators.role'])
    .where('passkey.id', '=', response.id)
    .where('operators.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row)
    throw verificationFailed(
      'it is not the passkey of an operator. A passkey of the wallet does not work here.',
    )
  const challenge = readChallenge(response.response.clientDataJSON)
  const { counter } = await verifyAssertion({
    relyingParty,
    credential: { ...row, user_id: row.operator_id },
    expectedChallenge: challenge,
    response,
  })
  return database.transaction().execute(async (transaction) => {
    await consumeChallenge(transaction, challenge, null, now)
    const used = await transaction
      .updateTable('operator_passkeys')
      .set({ counter, last_used_at: now })
      .where('id', '=', row.id)
      .where('counter', counter === 0 ? '=' : '<', counter)
      .returning('id')
      .executeTakeFirst()
    if (!used) throw verificationFailed('its signature counter did not increase.')
    return andThen(transaction, { id: row.operator_id, name: row.name, role: row.role })
  })
}
