import type { Database } from '@lanyard/database'
import { sql, type Transaction } from 'kysely'
import { withoutSecrets } from '../secrets/hidden-secrets.ts'
import { type AuditEntry, canonicalJson, hashEntry } from './entry.ts'

/** Who acts, besides the name: a person of an identity provider, or a break-glass operator. */
export type AuditIdentity =
  | { readonly issuer: string; readonly subject: string }
  /** `alone`: for an act that needs a second person otherwise. */
  | { readonly breakGlass: true; readonly alone?: true }

/** Who acts, and from where. */
export interface Actor {
  /** `cli:alice`, `console:alice`, `service:api,worker` */
  readonly actor: string
  /** A host, or a prefix of an address. */
  readonly source: string
  /** Default: none. */
  readonly identity?: AuditIdentity | undefined
}

/** An act of an operator. It never contains a secret. */
export interface Act extends Actor {
  /** A noun and a verb: `key.create`. */
  readonly act: string
  /** What is acted on. Default: empty. */
  readonly subject?: string
  /** The state before, as JSON; bigint is written as a decimal string. Default: null. */
  readonly before?: unknown
  /** The state after. Default: null. */
  readonly after?: unknown
}

/**
 * Adds an act to the audit log, in the transaction that does it: both are committed, or neither. Call it last:
 * it locks the end of the chain until the commit, so that all processes write one chain.
 *
 * @throws LanyardError DATABASE_UNAVAILABLE
 */
export async function recordAct(transaction: Transaction<Database>, act: Act): Promise<AuditEntry> {
  const head = await lockHead(transaction)
  const { actor, source, subject = '', before = null, after = null, identity } = act
  // The last resort: a text that this process knows as secret, or that looks like a key or a token.
  const redact = (value: unknown): unknown => JSON.parse(withoutSecrets(canonicalJson(value)))
  const unsigned = {
    position: head.position + 1,
    at: head.now.toISOString(),
    ...{ actor, source, act: act.act, subject: withoutSecrets(subject) },
    ...{ before: redact(before), after: redact(after) },
    ...(identity && { identity }),
    previousHash: head.hash,
  }
  const entry = { ...unsigned, hash: hashEntry(unsigned) }
  await transaction
    .insertInto('audit_log')
    .values({
      ...{ position: entry.position, at: head.now, actor, source, act: entry.act, subject: entry.subject },
      before: entry.before === null ? null : JSON.stringify(entry.before),
      after: entry.after === null ? null : JSON.stringify(entry.after),
      identity: identity ? JSON.stringify(identity) : null,
      ...{ previous_hash: entry.previousHash, hash: entry.hash },
    })
    .execute()
  await transaction.updateTable('audit_head').set({ position: entry.position, hash: entry.hash }).execute()
  return entry
}

/**
 * As {@link recordAct}, if the state differs from the one that the last act of this kind on this subject left:
 * that one becomes `before`.
 *
 * @returns undefined if nothing has changed
 */
export async function recordChange(
  transaction: Transaction<Database>,
  change: Omit<Act, 'before'>,
): Promise<AuditEntry | undefined> {
  await lockHead(transaction)
  const last = await transaction
    .selectFrom('audit_log')
    .select('after')
    .where('act', '=', change.act)
    .where('subject', '=', change.subject ?? '')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  const before = last?.after ?? null
  if (canonicalJson(before) === canonicalJson(change.after)) return undefined
  return recordAct(transaction, { ...change, before })
}

const lockHead = (transaction: Transaction<Database>) =>
  transaction
    .selectFrom('audit_head')
    .select(['position', 'hash'])
    // Milliseconds, as a Date has them.
    .select(sql<Date>`date_trunc('milliseconds', clock_timestamp())`.as('now'))
    .forUpdate()
    .executeTakeFirstOrThrow()
