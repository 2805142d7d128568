import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import type { Database, OperatorRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import { type AuditIdentity, recordAct } from '../../platform/audit/record-act.ts'
import type { Env } from '../../platform/environment/env.ts'
import { ProviderRefusal, type ProviderTokens, ProviderUnavailable } from '../../platform/open-id/answers.ts'
import type { Claims, IdentityProvider } from './identity-provider.ts'
import { includesRole, type OperatorRole } from './operator-roles.ts'
import {
  findSession,
  maySignIn,
  openSession,
  revokeSession,
  type SignedInOperator,
} from './operator-sessions.ts'
import { openTokens, sealTokens } from './sealed-tokens.ts'

/** Milliseconds for which the provider's word counts. A person whom it removes has no access a minute later. */
const proofLifetime = 45_000

/**
 * Milliseconds after the provider's last word for which a session may still read if the provider does not answer. It may not act.
 */
const unansweredGrace = 5 * 60_000

/** Milliseconds between two questions to a provider that does not answer. */
const retryInterval = 10_000

/** Milliseconds after which a process that asks counts as dead: longer than its four requests may take. */
const askingLifetime = 20_000

/** Milliseconds between two rows of the audit log for a person who has no access. */
const refusalInterval = 60 * 60_000

/** Milliseconds that a stream may go on: together with the age of the provider's word, a minute. */
const minStreamDuration = 60_000 - proofLifetime

/** Which role the groups of a provider have. */
export type RoleMapping = readonly { readonly group: string; readonly role: OperatorRole }[]

/** The highest role of a person's groups; undefined if no mapping names one of them. */
export function roleOfGroups(groups: readonly string[], mapping: RoleMapping): OperatorRole | undefined {
  const roles = mapping.filter(({ group }) => groups.includes(group)).map(({ role }) => role)
  return roles.reduce<OperatorRole | undefined>(
    (highest, role) => (highest !== undefined && includesRole(highest, role) ? highest : role),
    undefined,
  )
}

const identityOf = ({ issuer, subject }: Claims): AuditIdentity => ({ issuer, subject })

/**
 * A name for the audit log and command lines. The end follows from who the person is at the provider, so that a person cannot take
 * another operator's name by changing their own there.
 */
export function nameOfPerson({ issuer, subject, username = '' }: Claims): string {
  const plain = username
    .replace(/@.*$/s, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 40)
  const digest = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
  return `${plain || 'operator'}.${digest.slice(0, 10)}`
}

interface SignInRequest {
  readonly claims: Claims
  readonly tokens: ProviderTokens
  readonly mapping: RoleMapping
  readonly address: string
  readonly userAgent: string
  readonly now: Date
}

/**
 * Opens a session for a person of the provider, who becomes an operator with the first one.
 *
 * @returns the token for the cookie; why not otherwise. Both are in the audit log
 */
export async function signInFromProvider(
  database: Kysely<Database>,
  { claims, tokens, mapping, address, userAgent, now }: SignInRequest,
): Promise<{ readonly token: string } | { readonly refused: 'no-group' | 'disabled' }> {
  const role = roleOfGroups(claims.groups, mapping)
  const identity = identityOf(claims)
  return database.transaction().execute(async (transaction) => {
    const known = await findPerson(transaction, claims)
    const name = known?.name ?? nameOfPerson(claims)
    const recorded = { actor: `console:${name}`, source: address, subject: name, identity }
    if (role === undefined || known?.disabled_at) {
      const refused = role === undefined ? 'no-group' : 'disabled'
      if (!(await wasRefusedLately(transaction, name, now)))
        await recordAct(transaction, { ...recorded, act: 'operator.refuse', after: { reason: refused } })
      return { refused }
    }
    const id = known?.id ?? (await insertPerson(transaction, { claims, name, role, now }))
    if (known && known.role !== role)
      await changeRole(transaction, { id, role, before: known.role, recorded })
    const { id: session, token } = await openSession(transaction, { operatorId: id, address, userAgent, now })
    await transaction
      .insertInto('operator_proofs')
      .values({ session_id: session, proved_at: now, sealed: sealTokens(tokens, token) })
      .execute()
    await recordAct(transaction, { ...recorded, act: 'operator.sign-in', after: { session, role } })
    return { token }
  })
}

/** Each person whom the provider knows may try, as often as they like. The audit log has one row an hour for each. */
async function wasRefusedLately(
  transaction: Transaction<Database>,
  name: string,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('audit_log')
    .select('position')
    .where('act', '=', 'operator.refuse')
    .where('subject', '=', name)
    .where('at', '>', new Date(now.getTime() - refusalInterval))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const findPerson = (transaction: Transaction<Database>, { issuer, subject }: Claims) =>
  transaction
    .selectFrom('operator_identities as person')
    .innerJoin('operators', 'operators.id', 'person.operator_id')
    .selectAll('operators')
    .where('person.issuer', '=', issuer)
    .where('person.subject', '=', subject)
    .forUpdate('operators')
    .executeTakeFirst()

async function insertPerson(
  transaction: Transaction<Database>,
  {
    claims: { issuer, subject },
    name,
    role,
    now,
  }: { readonly claims: Claims; readonly name: string; readonly role: OperatorRole; readonly now: Date },
): Promise<string> {
  const id = randomUUID()
  const inserted = await transaction
    .insertInto('operators')
    .values({ id, name, role, created_at: now, disabled_at: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) {
    throw new LanyardError('FORBIDDEN', {
      message: `There is an operator ${name} already. Try once more; if that fails, \`lanyard operators list\` shows who has the name.`,
    })
  }
  await transaction
    .insertInto('operator_identities')
    .values({ issuer, subject, operator_id: id, created_at: now })
    .execute()
  return id
}

interface RoleChange extends Pick<OperatorRow, 'id' | 'role'> {
  readonly before: OperatorRole
  readonly recorded: {
    readonly actor: string
    readonly source: string
    readonly subject: string
    readonly identity: AuditIdentity | undefined
  }
}

async function changeRole(
  transaction: Transaction<Database>,
  { id, role, before, recorded }: RoleChange,
): Promise<void> {
  await transaction.updateTable('operators').set({ role }).where('id', '=', id).execute()
  await recordAct(transaction, {
    ...{ ...recorded, act: 'operator.role' },
    ...{ before: { role: before }, after: { role, by: 'identity provider' } },
  })
}

interface Proving {
  readonly database: Kysely<Database>
  readonly provider: IdentityProvider | undefined
  readonly mapping: RoleMapping
  /** Who may sign in with a passkey. It ends open sessions, too. */
  readonly passkeys: Env['CONSOLE_PASSKEYS']
  readonly now: () => Date
}

/**
 * Finds the operator of a session. One that the identity provider opened counts only while the provider stands by it: it is asked
 * again where its last word is older than 45 seconds. Of several requests at once, one asks, in whichever process, and the others
 * wait, since most providers accept a refresh token once.
 */
export async function findProvedSession(
  proving: Proving,
  cookie: string,
): Promise<SignedInOperator | undefined> {
  const { database, provider, now } = proving
  const deadline = performance.now() + askingLifetime
  for (;;) {
    const session = await findSession(database, cookie, now())
    const proof = session?.proof
    if (!session) return undefined
    if (!proof) return maySignIn(proving.passkeys, session.isBreakGlass) ? session : undefined
    const at = now().getTime()
    const age = at - proof.provedAt.getTime()
    if (age < proofLifetime) return session
    const isWaiting = proof.failedAt !== null && at - proof.failedAt.getTime() < retryInterval
    if (isWaiting && age < unansweredGrace) return session
    // Without the settings of the provider, no provider proves the session.
    if (!provider) return endSession(proving, session, 'no identity provider is configured')
    if (await claim(proving, session.sessionId)) {
      await prove(proving, provider, session, cookie)
      continue
    }
    if (performance.now() > deadline) return undefined
    await delay(50)
  }
}

/** Milliseconds for which a stream may go on that this session opens now. After that, the page asks again. */
export const streamDuration = ({ proof }: Pick<SignedInOperator, 'proof'>, now: Date): number =>
  proof === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(
        minStreamDuration,
        minStreamDuration + proofLifetime - (now.getTime() - proof.provedAt.getTime()),
      )

/** Of several processes, the one that asks. */
async function claim({ database, now }: Proving, sessionId: string): Promise<boolean> {
  const at = now()
  const claimed = await database
    .updateTable('operator_proofs')
    .set({ asked_at: at })
    .where('session_id', '=', sessionId)
    .where('proved_at', '<=', new Date(at.getTime() - proofLifetime))
    .where((where) =>
      where.or([
        where('asked_at', 'is', null),
        where('asked_at', '<', new Date(at.getTime() - askingLifetime)),
      ]),
    )
    .returning('session_id')
    .executeTakeFirst()
  return claimed !== undefined
}

async function prove(
  proving: Proving,
  provider: IdentityProvider,
  session: SignedInOperator,
  cookie: string,
): Promise<void> {
  const { database, mapping, now } = proving
  const { sessionId, identity, proof } = session
  if (!identity || !proof) return
  try {
    const { claims, tokens } = await provider.renew(openTokens(proof.sealed, cookie), identity.subject)
    const role = roleOfGroups(claims.groups, mapping)
    if (claims.issuer !== identity.issuer) throw new ProviderRefusal('another provider is configured')
    if (role === undefined) throw new ProviderRefusal('no group of this person has a role')
    await database.transaction().execute(async (transaction) => {
      const at = now()
      await transaction
        .updateTable('operator_proofs')
        .set({ proved_at: at, asked_at: null, failed_at: null, sealed: sealTokens(tokens, cookie) })
        .where('session_id', '=', sessionId)
        .execute()
      const { role: before } = await transaction
        .selectFrom('operators')
        .select('role')
        .where('id', '=', session.id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (before === role) return
      const recorded = { ...actorOf(session), subject: session.name }
      await changeRole(transaction, { id: session.id, role, before, recorded })
    })
  } catch (error) {
    if (error instanceof ProviderUnavailable && isWithinGrace(proof.provedAt, now())) {
      await database
        .updateTable('operator_proofs')
        .set({
          ...{ asked_at: null, failed_at: now() },
          ...(error.tokens && { sealed: sealTokens(error.tokens, cookie) }),
        })
        .where('session_id', '=', sessionId)
        .execute()
      return
    }
    if (!(error instanceof ProviderRefusal || error instanceof ProviderUnavailable)) throw error
    await endSession(proving, session, error.message)
  }
}

const isWithinGrace = (provedAt: Date, now: Date) => now.getTime() - provedAt.getTime() < unansweredGrace

const actorOf = ({ name, address, identity }: SignedInOperator) => ({
  ...{ actor: `console:${name}`, source: address, identity },
})

/** Ends a session that the provider does not stand by, and what its operator has requested. */
async function endSession(
  { database, now }: Proving,
  session: SignedInOperator,
  reason: string,
): Promise<undefined> {
  await database.transaction().execute(async (transaction) => {
    const at = now()
    if ((await revokeSession(transaction, session.sessionId, at)) === undefined) return
    const withdrawn = await transaction
      .updateTable('operator_approvals')
      .set({ state: 'withdrawn', decided_at: at })
      .where('requested_by', '=', session.id)
      .where('state', '=', 'waiting')
      .returning('id')
      .execute()
    await recordAct(transaction, {
      ...{ ...actorOf(session), act: 'operator.session-end', subject: session.name },
      ...{ after: { session: session.sessionId, reason, withdrawn: withdrawn.map(({ id }) => id) } },
    })
  })
  return undefined
}
