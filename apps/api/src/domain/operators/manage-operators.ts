import { randomUUID } from 'node:crypto'
import { LanyardError } from '@lanyard/contracts'
import type { Database, OperatorRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import type { OperatorRole } from './operator-roles.ts'
import { revokeSessionsOf } from './operator-sessions.ts'
import { hashToken, newToken } from './secret-token.ts'

/** Milliseconds for which an invitation is valid: long enough for a colleague in another time zone. */
const invitationLifetime = 24 * 60 * 60_000

export interface Invitation {
  readonly operator: OperatorRow
  /** For the link; it cannot be read again. */
  readonly token: string
  readonly expiresAt: Date
}

export interface InvitedPerson {
  readonly name: string
  /** Of a new operator; an existing one keeps its role. */
  readonly role: OperatorRole
  /** Whether the operator may sign in with a passkey when others may not. Default: false, and what it is for an existing one. */
  readonly breakGlass?: boolean | undefined
}

/** Whether an operator of this name is a person of the identity provider. */
async function isOfProvider(transaction: Transaction<Database>, name: string): Promise<boolean> {
  const found = await transaction
    .selectFrom('operator_identities')
    .innerJoin('operators', 'operators.id', 'operator_identities.operator_id')
    .select('operators.id')
    .where('operators.name', '=', name)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Invites a person to register a passkey: a new operator, or an existing one who needs another passkey. Earlier
 * links of the same person stop working.
 *
 * @param tokenHash - of a link that was made before; the token is empty then
 * @returns undefined for a disabled operator
 * @throws INVALID_INPUT for a person of the identity provider
 */
export async function inviteOperator(
  transaction: Transaction<Database>,
  { name, role, breakGlass = false }: InvitedPerson,
  now: Date,
  tokenHash?: string,
): Promise<Invitation | undefined> {
  await transaction
    .insertInto('operators')
    .values({ id: randomUUID(), name, role, break_glass: breakGlass, created_at: now, disabled_at: null })
    .onConflict((conflict) =>
      breakGlass
        ? conflict.column('name').doUpdateSet({ break_glass: true })
        : conflict.column('name').doNothing(),
    )
    .execute()
  if (await isOfProvider(transaction, name)) {
    throw new LanyardError('INVALID_INPUT', {
      message: `${name} signs in at the identity provider and needs no link.`,
    })
  }
  const operator = await transaction
    .selectFrom('operators')
    .selectAll()
    .where('name', '=', name)
    .where('disabled_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!operator) return undefined
  await transaction.deleteFrom('operator_invitations').where('operator_id', '=', operator.id).execute()
  const token = tokenHash === undefined ? newToken() : ''
  const expiresAt = new Date(now.getTime() + invitationLifetime)
  await transaction
    .insertInto('operator_invitations')
    .values({
      ...{ token_hash: tokenHash ?? hashToken(token), operator_id: operator.id },
      ...{ created_at: now, expires_at: expiresAt, used_at: null },
    })
    .execute()
  return { operator, token, expiresAt }
}

/** Whether an active operator of this name can sign in. A link for them would let its holder act in their name. */
export async function hasPasskey(transaction: Transaction<Database>, name: string): Promise<boolean> {
  const found = await transaction
    .selectFrom('operator_passkeys')
    .innerJoin('operators', 'operators.id', 'operator_passkeys.operator_id')
    .select('operators.id')
    .where('operators.name', '=', name)
    .where('operators.disabled_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

export type ListedOperator = OperatorRow & {
  readonly passkeys: number
  /** The provider of the operator's identity; null for one who signs in with a passkey. */
  readonly issuer: string | null
  /** The public key of the passkey that waits for an administrator; null if none does. */
  readonly waiting: Uint8Array | null
  /** Sessions that are valid now. */
  readonly sessions: number
}

/** Every operator, by name. */
export const listOperators = (database: Kysely<Database>, now: Date): Promise<ListedOperator[]> =>
  database
    .selectFrom('operators')
    .selectAll('operators')
    .select(({ selectFrom, fn }) => [
      selectFrom('operator_identities')
        .whereRef('operator_identities.operator_id', '=', 'operators.id')
        .select('issuer')
        .as('issuer'),
      selectFrom('operator_passkeys')
        .whereRef('operator_passkeys.operator_id', '=', 'operators.id')
        .where('waiting', '=', true)
        .select('operator_passkeys.public_key')
        .limit(1)
        .as('waiting'),
      selectFrom('operator_passkeys')
        .whereRef('operator_passkeys.operator_id', '=', 'operators.id')
        .where('waiting', '=', false)
        .select(fn.countAll<number>().as('count'))
        .as('passkeys'),
      selectFrom('operator_sessions')
        .whereRef('operator_sessions.operator_id', '=', 'operators.id')
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .select(fn.countAll<number>().as('count'))
        .as('sessions'),
    ])
    .orderBy('name')
    .execute()
    .then((rows) =>
      rows.map((row) => ({ ...row, passkeys: Number(row.passkeys), sessions: Number(row.sessions) })),
    )

/**
 * Changes a role, from the next request of the operator on.
 *
 * @returns the role before; undefined when no active operator has this name
 * @throws INVALID_INPUT for a person of the identity provider, whose groups say the role
 */
export async function changeRole(
  transaction: Transaction<Database>,
  name: string,
  role: OperatorRole,
): Promise<OperatorRole | undefined> {
  const row = await transaction
    .selectFrom('operators')
    .select(['id', 'role'])
    .where('name', '=', name)
    .where('disabled_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  if (await isOfProvider(transaction, name)) {
    throw new LanyardError('INVALID_INPUT', {
      message: `The role of ${name} follows from their groups at the identity provider (CONSOLE_OIDC_ROLES). Change it there; \`disable\` ends their access here.`,
    })
  }
  await transaction.updateTable('operators').set({ role }).where('id', '=', row.id).execute()
  return row.role
}

/**
 * Ends an operator's access at once: sessions, open invitations and passkeys. The name stays taken, because the
 * audit log refers to it.
 *
 * @returns whether an active operator has this name
 */
export async function disableOperator(
  transaction: Transaction<Database>,
  name: string,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .updateTable('operators')
    .set({ disabled_at: now })
    .where('name', '=', name)
    .where('disabled_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await transaction.deleteFrom('operator_invitations').where('operator_id', '=', row.id).execute()
  await transaction.deleteFrom('operator_passkeys').where('operator_id', '=', row.id).execute()
  await revokeSessionsOf(transaction, row.id, now)
  return true
}
