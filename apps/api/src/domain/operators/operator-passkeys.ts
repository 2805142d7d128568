import { createHash, randomBytes } from 'node:crypto'
import { LanyardError } from '@lanyard/contracts'
import type { Database, OperatorPasskeysTable, OperatorRow } from '@lanyard/database'
import type { Kysely, Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import type { Env } from '../../platform/environment/env.ts'
import { type AssertionBody, toAuthenticationResponse } from '../accounts/passkeys/authentication-response.ts'
import { challengeLifetime } from '../accounts/passkeys/challenges.ts'
import { readChallenge } from '../accounts/passkeys/client-data.ts'
import { creationOptions, requestOptions } from '../accounts/passkeys/options.ts'
import type { RelyingParty } from '../accounts/passkeys/relying-party.ts'
import { verificationFailed } from '../accounts/passkeys/verification-failed.ts'
import { verifyAssertion } from '../accounts/passkeys/verify-assertion.ts'
import { type RegistrationResponse, verifyRegistration } from '../accounts/passkeys/verify-registration.ts'
import { maySignIn } from './operator-sessions.ts'
import { hashToken } from './secret-token.ts'

/** The name that the authenticator shows, so that nobody takes it for a wallet's passkey. */
const consoleName = 'Lanyard console'

interface Ceremony {
  readonly database: Kysely<Database>
  readonly relyingParty: RelyingParty
  readonly now: Date
}

/** What a challenge is for: at most one member, and neither for a sign-in. */
interface ChallengeUse {
  readonly tokenHash?: string
  /** What the assertion confirms; the challenge follows from it, so that the passkey signs it. */
  readonly purpose?: string
}

async function issueChallenge(
  { database, now }: Ceremony,
  { tokenHash, purpose }: ChallengeUse,
): Promise<string> {
  const challenge = createHash('sha256')
    .update(purpose ?? '')
    .update(randomBytes(32))
    .digest('base64url')
  await database.deleteFrom('operator_challenges').where('expires_at', '<', now).execute()
  await database
    .insertInto('operator_challenges')
    .values({
      ...{ challenge, token_hash: tokenHash ?? null, purpose: purpose ?? null },
      expires_at: new Date(now.getTime() + challengeLifetime),
    })
    .execute()
  return challenge
}

/** Deletes the challenge that a response answers, so that it works once. */
async function consumeChallenge(
  transaction: Transaction<Database>,
  challenge: string,
  { tokenHash, purpose }: ChallengeUse,
  now: Date,
): Promise<void> {
  const used = await transaction
    .deleteFrom('operator_challenges')
    .where('challenge', '=', challenge)
    .where('token_hash', 'is not distinct from', tokenHash ?? null)
    .where('purpose', 'is not distinct from', purpose ?? null)
    .where('expires_at', '>', now)
    .returning('challenge')
    .executeTakeFirst()
  if (used) return
  throw verificationFailed(
    'its challenge was used before, expired after five minutes, or was made for something else.',
  )
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
  const operator = await findInvited(ceremony.database, token, ceremony.now)
  const challenge = await issueChallenge(ceremony, { tokenHash: hashToken(token) })
  return newPasskeyOptions(ceremony, operator, challenge)
}

/** Options with which an operator creates another passkey. An authenticator that has one of theirs refuses. */
export async function enrolmentOptions(ceremony: Ceremony, operator: Pick<OperatorRow, 'id' | 'name'>) {
  const challenge = await issueChallenge(ceremony, { purpose: enrolmentOf(operator) })
  return newPasskeyOptions(
    ceremony,
    operator,
    challenge,
    await usablePasskeys(ceremony.database, operator.id),
  )
}

async function newPasskeyOptions(
  { relyingParty }: Ceremony,
  { id, name }: Pick<OperatorRow, 'id' | 'name'>,
  challenge: string,
  exclude: readonly Pick<Selectable<OperatorPasskeysTable>, 'id' | 'transports'>[] = [],
) {
  const options = await creationOptions(relyingParty, { user: { id, username: name }, challenge, exclude })
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
    await consumeChallenge(transaction, challenge, { tokenHash: hashToken(token) }, now)
    const invitation = await transaction
      .updateTable('operator_invitations')
      .set({ used_at: now })
      .where('token_hash', '=', hashToken(token))
      .where('used_at', 'is', null)
      .returning('operator_id')
      .executeTakeFirst()
    if (!invitation) throw verificationFailed('its invitation was used before.')
    await insertPasskey(transaction, operator.id, credential, { waiting: false, now })
    return andThen(transaction, operator)
  })
}

async function insertPasskey(
  transaction: Transaction<Database>,
  operatorId: string,
  credential: Awaited<ReturnType<typeof verifyRegistration>>,
  { waiting, now }: { readonly waiting: boolean; readonly now: Date },
): Promise<void> {
  const inserted = await transaction
    .insertInto('operator_passkeys')
    .values({
      ...{ id: credential.id, operator_id: operatorId, public_key: credential.publicKey, waiting },
      ...{ counter: credential.counter, backup_eligible: credential.backupEligible },
      ...{ transports: JSON.stringify(credential.transports), created_at: now, last_used_at: now },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) throw verificationFailed('this passkey is already registered.')
}

const enrolmentOf = ({ id }: Pick<OperatorRow, 'id'>) => `enrol ${id}`

/**
 * Registers another passkey of an operator. The first one of a person of the identity provider waits until an administrator
 * vouches for it: an attacker who controls the provider could otherwise invent an operator together with a passkey.
 *
 * @param isConfirmed - by a passkey that the operator has already
 * @returns its {@link fingerprint}, and whether it waits
 * @throws VERIFICATION_FAILED
 */
export async function enrolPasskey(
  { relyingParty, now }: Omit<Ceremony, 'database'>,
  transaction: Transaction<Database>,
  operator: Pick<OperatorRow, 'id'>,
  { response, isConfirmed }: { readonly response: RegistrationResponse; readonly isConfirmed: boolean },
): Promise<{ readonly passkey: string; readonly waiting: boolean }> {
  const challenge = readChallenge(response.response.clientDataJSON)
  const credential = await verifyRegistration(relyingParty, challenge, response)
  await consumeChallenge(transaction, challenge, { purpose: enrolmentOf(operator) }, now)
  // Of several that wait, only the last counts: that is the one that its owner can name.
  await transaction
    .deleteFrom('operator_passkeys')
    .where('operator_id', '=', operator.id)
    .where('waiting', '=', true)
    .execute()
  await insertPasskey(transaction, operator.id, credential, { waiting: !isConfirmed, now })
  return { passkey: fingerprint(credential.publicKey), waiting: !isConfirmed }
}

/** Milliseconds for which a new passkey waits for an administrator. */
const waitingLifetime = 24 * 60 * 60_000

/**
 * By what people compare a passkey: a digest of its public key. Its id would not do, since an authenticator of software takes any.
 * 72 bits are out of reach for an attacker who has a day to find another key with the same digest.
 */
export const fingerprint = (publicKey: Uint8Array): string =>
  createHash('sha256').update(publicKey).digest('base64url').slice(0, 12)

export const fingerprintText = z
  .string()
  .regex(/^[\w-]{12}$/, 'Expected the twelve characters that its owner sees.')

/**
 * Vouches for the passkey that waits.
 *
 * @param shown - its {@link fingerprint}, from its owner
 * @returns whether such a passkey waits
 */
export async function confirmPasskey(
  transaction: Transaction<Database>,
  { name, shown }: { readonly name: string; readonly shown: string },
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('operator_passkeys as passkey')
    .innerJoin('operators', 'operators.id', 'passkey.operator_id')
    .select(['passkey.id', 'passkey.public_key'])
    .where('operators.name', '=', name)
    .where('operators.disabled_at', 'is', null)
    .where('passkey.waiting', '=', true)
    .where('passkey.created_at', '>', new Date(now.getTime() - waitingLifetime))
    .forUpdate('passkey')
    .executeTakeFirst()
  if (!row || fingerprint(row.public_key) !== shown) return false
  await transaction
    .updateTable('operator_passkeys')
    .set({ waiting: false })
    .where('id', '=', row.id)
    .execute()
  return true
}

/** Takes all passkeys of an operator away, after a loss. @returns how many */
export async function forgetPasskeys(transaction: Transaction<Database>, name: string): Promise<number> {
  const rows = await transaction
    .deleteFrom('operator_passkeys')
    .where('operator_id', '=', (eb) =>
      eb.selectFrom('operators').select('operators.id').where('name', '=', name),
    )
    .returning('id')
    .execute()
  return rows.length
}

/** All passkeys of an operator, oldest first. */
export const listPasskeys = (
  database: Kysely<Database>,
  operatorId: string,
): Promise<Selectable<OperatorPasskeysTable>[]> =>
  database
    .selectFrom('operator_passkeys')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .orderBy('created_at')
    .execute()

/**
 * Removes a passkey of an operator. One that confirms acts always remains: without it, only an administrator lets the operator act
 * again.
 *
 * @param shown - its {@link fingerprint}
 * @throws INVALID_INPUT
 */
export async function removePasskey(
  transaction: Transaction<Database>,
  operatorId: string,
  shown: string,
): Promise<void> {
  const rows = await transaction
    .selectFrom('operator_passkeys')
    .select(['id', 'public_key', 'waiting'])
    .where('operator_id', '=', operatorId)
    // Of two removals at once, the second sees what the first has left.
    .orderBy('id')
    .forUpdate()
    .execute()
  const removed = rows.find(({ public_key }) => fingerprint(public_key) === shown)
  if (!removed) throw new LanyardError('INVALID_INPUT', { message: `You have no passkey ${shown}.` })
  if (!rows.some(({ id, waiting }) => !waiting && id !== removed.id)) {
    throw new LanyardError('INVALID_INPUT', {
      message: 'This is your only passkey. Add another one first. For a lost one, ask an administrator.',
    })
  }
  await transaction.deleteFrom('operator_passkeys').where('id', '=', removed.id).execute()
}

/** Passkeys that confirm what an operator does. */
export const usablePasskeys = (
  database: Kysely<Database>,
  operatorId: string,
): Promise<Selectable<OperatorPasskeysTable>[]> =>
  database
    .selectFrom('operator_passkeys')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .where('waiting', '=', false)
    .execute()

/** The passkey of an operator that waits for an administrator. */
export const waitingPasskey = (
  database: Kysely<Database>,
  operatorId: string,
  now: Date,
): Promise<Pick<Selectable<OperatorPasskeysTable>, 'public_key'> | undefined> =>
  database
    .selectFrom('operator_passkeys')
    .select('public_key')
    .where('operator_id', '=', operatorId)
    .where('waiting', '=', true)
    .where('created_at', '>', new Date(now.getTime() - waitingLifetime))
    .executeTakeFirst()

/**
 * Options with which an operator confirms one act.
 *
 * @param purpose - names the session, the act and its input
 * @returns undefined if the operator has no passkey that counts
 */
export async function confirmationOptions(ceremony: Ceremony, operatorId: string, purpose: string) {
  const allow = await usablePasskeys(ceremony.database, operatorId)
  if (allow.length === 0) return undefined
  return requestOptions(ceremony.relyingParty, {
    challenge: await issueChallenge(ceremony, { purpose }),
    allow,
  })
}

/**
 * Verifies that an operator confirms an act now, with a passkey that has verified them. It counts once.
 *
 * @throws VERIFICATION_FAILED
 */
export async function verifyConfirmation(
  { database, relyingParty, now }: Ceremony,
  body: AssertionBody,
  { operatorId, purpose }: { readonly operatorId: string; readonly purpose: string },
): Promise<void> {
  const response = toAuthenticationResponse(body)
  const passkeys = await usablePasskeys(database, operatorId)
  const passkey = passkeys.find(({ id }) => id === response.id)
  if (!passkey) throw verificationFailed('it is not a passkey of the operator who acts.')
  const challenge = readChallenge(response.response.clientDataJSON)
  const { counter } = await verifyAssertion({
    relyingParty,
    credential: { ...passkey, user_id: operatorId },
    expectedChallenge: challenge,
    response,
  })
  await database.transaction().execute(async (transaction) => {
    await consumeChallenge(transaction, challenge, { purpose }, now)
    await countUse(transaction, passkey.id, counter, now)
  })
}

async function countUse(
  transaction: Transaction<Database>,
  id: string,
  counter: number,
  now: Date,
): Promise<void> {
  const used = await transaction
    .updateTable('operator_passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .returning('id')
    .executeTakeFirst()
  if (!used) throw verificationFailed('its signature counter did not increase.')
}

/** Options for a sign-in that names nobody, so it tells nobody who the operators are. */
export const signInOptions = async (ceremony: Ceremony) =>
  requestOptions(ceremony.relyingParty, { challenge: await issueChallenge(ceremony, {}), allow: [] })

/**
 * Verifies a sign-in.
 *
 * @param andThen - runs in the transaction that uses up the challenge
 * @throws VERIFICATION_FAILED
 */
export async function signIn<T>(
  { database, relyingParty, now, policy }: Ceremony & { readonly policy: Env['CONSOLE_PASSKEYS'] },
  body: AssertionBody,
  andThen: (
    transaction: Transaction<Database>,
    operator: Pick<OperatorRow, 'id' | 'name' | 'role' | 'break_glass'>,
  ) => Promise<T>,
): Promise<T> {
  const response = toAuthenticationResponse(body)
  const row = await database
    .selectFrom('operator_passkeys as passkey')
    .innerJoin('operators', 'operators.id', 'passkey.operator_id')
    .leftJoin('operator_identities as person', 'person.operator_id', 'operators.id')
    .selectAll('passkey')
    .select(['operators.name', 'operators.role', 'operators.break_glass', 'person.issuer'])
    .where('passkey.id', '=', response.id)
    .where('passkey.waiting', '=', false)
    .where('operators.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row)
    throw verificationFailed(
      'it is not the passkey of an operator. A passkey of the wallet does not work here.',
    )
  // It would outlive the person's access at the provider.
  if (row.issuer !== null) {
    throw verificationFailed(
      'its operator signs in at the identity provider. This passkey only confirms what they do.',
    )
  }
  if (!maySignIn(policy, row.break_glass)) {
    throw verificationFailed('only break-glass operators may sign in with a passkey (CONSOLE_PASSKEYS).')
  }
  const challenge = readChallenge(response.response.clientDataJSON)
  const { counter } = await verifyAssertion({
    relyingParty,
    credential: { ...row, user_id: row.operator_id },
    expectedChallenge: challenge,
    response,
  })
  return database.transaction().execute(async (transaction) => {
    await consumeChallenge(transaction, challenge, {}, now)
    await countUse(transaction, row.id, counter, now)
    return andThen(transaction, {
      ...{ id: row.operator_id, name: row.name, role: row.role, break_glass: row.break_glass },
    })
  })
}
