import { randomBytes } from 'node:crypto'
import type { Database, OperatorRow, OperatorSessionsTable } from '@lanyard/database'
import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Env } from '../../platform/environment/env.ts'
import { hashToken, newToken } from './secret-token.ts'

/** Milliseconds: a working day. */
export const sessionLifetime = 12 * 60 * 60_000

/** Milliseconds without a request after which a session ends: a browser that was left open. */
const idleLifetime = 60 * 60_000

/** Milliseconds for which a session that has expired is kept, with what the provider gave it. The audit log has its sign-in. */
const keptFor = 7 * 24 * 60 * 60_000

/** Milliseconds between two writes of `last_seen_at`. */
const seenInterval = 60_000

/** Whether CONSOLE_PASSKEYS lets an operator sign in with a passkey alone. */
export const maySignIn = (passkeys: Env['CONSOLE_PASSKEYS'], isBreakGlass: boolean): boolean =>
  passkeys === 'on' || (passkeys === 'break-glass' && isBreakGlass)

/** The operator of a request, with the session that it came in. */
export interface SignedInOperator extends Pick<OperatorRow, 'id' | 'name' | 'role'> {
  readonly sessionId: string
  /** Where it signed in from. */
  readonly address: string
  readonly expiresAt: Date
  readonly isBreakGlass: boolean
  /** Of a person of the identity provider; undefined for who signs in with a passkey. */
  readonly identity: { readonly issuer: string; readonly subject: string } | undefined
  /** Of a session that the identity provider opened; undefined for a passkey's. */
  readonly proof: SessionProof | undefined
}

/** The provider's last word on a session. */
interface SessionProof {
  readonly provedAt: Date
  readonly failedAt: Date | null
  /** Its tokens, see `sealed-tokens.ts`. */
  readonly sealed: string
}

interface NewSession {
  readonly operatorId: string
  readonly address: string
  readonly userAgent: string
  readonly now: Date
}

/** @returns the token for the cookie; the database keeps only its hash */
export async function openSession(
  transaction: Transaction<Database>,
  { operatorId, address, userAgent, now }: NewSession,
): Promise<{ readonly id: string; readonly token: string }> {
  const token = newToken()
  const id = `ses_${randomBytes(6).toString('base64url')}`
  await transaction
    .deleteFrom('operator_sessions')
    .where('expires_at', '<', new Date(now.getTime() - keptFor))
    .execute()
  await transaction
    .insertInto('operator_sessions')
    .values({
      ...{ id, token_hash: hashToken(token), operator_id: operatorId, address },
      ...{ user_agent: userAgent.slice(0, 200), created_at: now, last_seen_at: now },
      ...{ expires_at: new Date(now.getTime() + sessionLifetime), revoked_at: null },
    })
    .execute()
  return { id, token }
}

/**
 * Finds the operator of a session that is neither revoked, expired nor idle. The role is read with each request, so a
 * change works at once.
 */
export async function findSession(
  database: Kysely<Database>,
  token: string,
  now: Date,
): Promise<SignedInOperator | undefined> {
  const row = await database
    .selectFrom('operator_sessions as session')
    .innerJoin('operators', 'operators.id', 'session.operator_id')
    .leftJoin('operator_proofs as proof', 'proof.session_id', 'session.id')
    .leftJoin('operator_identities as person', 'person.operator_id', 'session.operator_id')
    .select(['operators.id', 'operators.name', 'operators.role', 'operators.break_glass'])
    .select(['session.id as session_id', 'session.last_seen_at', 'session.expires_at', 'session.address'])
    .select(['proof.proved_at', 'proof.failed_at', 'proof.sealed', 'person.issuer', 'person.subject'])
    .where('session.token_hash', '=', hashToken(token))
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', now)
    .where('session.last_seen_at', '>', new Date(now.getTime() - idleLifetime))
    .where('operators.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, name, role, session_id, last_seen_at, expires_at, address, break_glass } = row
  const { proved_at, sealed, issuer, subject, failed_at } = row
  const identity = issuer === null || subject === null ? undefined : { issuer, subject }
  const proof =
    proved_at === null || sealed === null ? undefined : { provedAt: proved_at, failedAt: failed_at, sealed }
  // A person of the provider has no other session: without its proof, this one counts for nothing.
  if (identity && !proof) return undefined
  if (now.getTime() - last_seen_at.getTime() > seenInterval) {
    await database
      .updateTable('operator_sessions')
      .set({ last_seen_at: now })
      .where('id', '=', session_id)
      .execute()
  }
  return {
    ...{ id, name, role, sessionId: session_id, address, expiresAt: expires_at, isBreakGlass: break_glass },
    ...{ identity, proof },
  }
}

export type ListedSession = Omit<Selectable<OperatorSessionsTable>, 'token_hash' | 'operator_id'> & {
  readonly operator: string
}

/** Sessions that are valid now, newest first. */
export const listSessions = (database: Kysely<Database>, now: Date): Promise<ListedSession[]> =>
  database
    .selectFrom('operator_sessions as session')
    .innerJoin('operators', 'operators.id', 'session.operator_id')
    .select(['session.id', 'address', 'user_agent', 'session.created_at', 'last_seen_at', 'expires_at'])
    .select(['revoked_at', 'operators.name as operator'])
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', new Date(now.getTime() - idleLifetime))
    .orderBy('session.created_at', 'desc')
    .limit(200)
    .execute()

/** @returns the operator whose session it was; undefined if it was not valid any more */
export async function revokeSession(
  transaction: Transaction<Database>,
  sessionId: string,
  now: Date,
): Promise<string | undefined> {
  const row = await transaction
    .updateTable('operator_sessions')
    .set({ revoked_at: now })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .returning('operator_id')
    .executeTakeFirst()
  return row?.operator_id
}

/** Ends all sessions of an operator but the one that asks. */
export async function revokeOtherSessions(
  transaction: Transaction<Database>,
  { id, sessionId }: Pick<SignedInOperator, 'id' | 'sessionId'>,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('operator_sessions')
    .set({ revoked_at: now })
    .where('operator_id', '=', id)
    .where('id', '<>', sessionId)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function revokeSessionsOf(
  transaction: Transaction<Database>,
  operatorId: string,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('operator_sessions')
    .set({ revoked_at: now })
    .where('operator_id', '=', operatorId)
    .where('revoked_at', 'is', null)
    .execute()
}
