import { computeSignerAddress, defaultVerifiers, parseCosePublicKey } from '@lanyard/accounts'
import type { CredentialRow, Database, NewCredentialRow, UserRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import { readTransports } from './encodings.ts'
import { verificationFailed } from './verification-failed.ts'
import type { VerifiedAssertion } from './verify-assertion.ts'
import type { VerifiedCredential } from './verify-registration.ts'

/** A passkey as its user sees it. */
export const toCredential = (row: CredentialRow) => ({
  credentialId: row.id,
  label: row.label,
  backedUp: row.backed_up,
  transports: readTransports(row.transports),
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

/** A user's passkeys, oldest first. */
export async function listCredentials(database: Kysely<Database>, userId: string): Promise<CredentialRow[]> {
  return database
    .selectFrom('credentials')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/**
 * Finds the user's passkey with this id.
 *
 * @throws VERIFICATION_FAILED when it belongs to another user or does not exist
 */
export async function findCredential(
  database: Kysely<Database>,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<CredentialRow> {
  const row = await database
    .selectFrom('credentials')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) throw verificationFailed('the credential does not belong to this user.')
  return row
}

/**
 * Finds the passkey with this id and its user's name.
 *
 * @throws VERIFICATION_FAILED
 */
export async function discoverCredential(
  database: Kysely<Database>,
  id: string,
): Promise<CredentialRow & Pick<UserRow, 'username'>> {
  const row = await database
    .selectFrom('credentials')
    .innerJoin('users', 'users.id', 'credentials.user_id')
    .selectAll('credentials')
    .select('users.username')
    .where('credentials.id', '=', id)
    .executeTakeFirst()
  if (!row) throw verificationFailed('no user has this credential.')
  return row
}

interface Registration {
  readonly userId: string
  readonly credential: Omit<VerifiedCredential, 'x' | 'y'>
  /** Default: those of new passkeys. */
  readonly verifiers?: bigint
  readonly firstOwner: boolean
  readonly label: string
  readonly now: Date
}

/**
 * Registers a passkey.
 *
 * @throws VERIFICATION_FAILED when its id, or its key, is registered to any user (WebAuthn L3 §7.1 step 26)
 */
export async function insertCredential(
  transaction: Transaction<Database>,
  { userId, credential, verifiers = defaultVerifiers, firstOwner, label, now }: Registration,
): Promise<void> {
  const row: NewCredentialRow = {
    id: credential.id,
    user_id: userId,
    public_key: credential.publicKey,
    signer: computeSignerAddress({ ...parseCosePublicKey(credential.publicKey), verifiers }).toLowerCase(),
    verifiers,
    first_owner: firstOwner,
    label,
    counter: credential.counter,
    backup_eligible: credential.backupEligible,
    backed_up: credential.backedUp,
    transports: JSON.stringify(credential.transports),
    aaguid: credential.aaguid,
    created_at: now,
    last_used_at: null,
  }
  const inserted = await transaction
    .insertInto('credentials')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) throw verificationFailed('this passkey is already registered.')
}

/**
 * Records a verified assertion. If two assertions use the same counter concurrently, one is rejected: the
 * counter that the verification read may be outdated. Synced passkeys stay at 0 (WebAuthn L3 §6.1.1).
 *
 * @throws VERIFICATION_FAILED
 */
export async function recordUse(
  connection: Kysely<Database> | Transaction<Database>,
  credentialId: string,
  { counter, backedUp }: VerifiedAssertion,
  now: Date,
): Promise<void> {
  const used = await connection
    .updateTable('credentials')
    .set({ counter, backed_up: backedUp, last_used_at: now })
    .where('id', '=', credentialId)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .returning('id')
    .executeTakeFirst()
  if (!used) throw verificationFailed('its signature counter did not increase.')
}
