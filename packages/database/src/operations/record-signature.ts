import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, OperationRow } from '../schema.ts'
import { batched, perDatabase } from '../statements.ts'
import type { SignedTerms } from './insert-build.ts'
import { isNamedNowhere, type OperationReference, type ReadOperation } from './read-operation.ts'

interface Signature {
  /** The complete `userOp.signature`. */
  readonly signature: string
  /** The current head of the chain: the operation's event cannot be in an earlier block. */
  readonly head: bigint
  readonly now: Date
  /**
   * When the worker delivers it, unless the signing request has done so. Null: a bundler whose queue is the
   * table of operations has accepted it, so it becomes `submitted` at once.
   */
  readonly nextAttemptAt: Date | null
}

const stateAfter = ({ nextAttemptAt }: Signature) =>
  nextAttemptAt === null ? ('submitted' as const) : ('submitting' as const)

/** Nobody has signed it since it was read: a refusal leaves `signed_at`. */
const isUnchanged = ({ signed_at }: Pick<OperationRow, 'signed_at'>) =>
  sql<boolean>`signed_at is not distinct from ${signed_at}::timestamptz`

/**
 * `built → submitting` or `submitted`: takes the nonce, unless the build has expired, a conflicting operation has its nonce, or another
 * request has signed it since it was read, and was refused. The caller holds the lock that {@link countSignature} takes.
 *
 * @param row - with the authorisation that its sender has signed with it. An operation with one has an `initCode`, so it
 * `deploys`
 * @param terms - what the owner signed instead of the build's terms: another validity, or another kind of
 * owner
 * @returns the updated row; undefined if nothing was written
 */
export function recordSignature(
  transaction: Transaction<Database>,
  row: OperationRow,
  written: Signature,
  terms?: SignedTerms,
): Promise<OperationRow | undefined> {
  const { signature, head, now, nextAttemptAt } = written
  return transaction
    .updateTable('operations')
    .set({
      ...terms,
      state: stateAfter(written),
      signature,
      eip7702_auth: row.eip7702_auth,
      signed_at: now,
      signed_at_block: Number(head),
      // The address is kept only while the build is unsigned.
      built_by: null,
      sent_by: row.sent_by,
      // The signing request makes the first delivery. No other process counts as the first, whatever its
      // result.
      attempts: 1,
      next_attempt_at: nextAttemptAt,
      reason_code: null,
      reason_message: null,
    })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', 'built')
    .where('build_expires_at', '>', now)
    .where(isUnchanged(row))
    .where(sql<boolean>`${conflictingHash} is null`)
    .where(hasRoom)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Locks the account's row and increments its counter. A caller with an older count then signs nothing by
 * {@link recordPlainSignature}.
 */
export async function countSignature(transaction: Transaction<Database>, account: string): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set((eb) => ({ signatures: eb('signatures', '+', 1) }))
    .where('address', '=', account)
    .execute()
}

/**
 * The same as {@link recordSignature} for an operation that deploys nothing and that no other table names.
 * Concurrent calls share one statement, which is atomic for each caller. It needs no lock. In READ COMMITTED
 * the statement does not see a conflicting operation that is committed while it waits for a row. But every signature
 * increments the account's counter, and a caller with an older count signs nothing.
 *
 * @param read - as returned by {@link readOperation}
 * @param references - the tables of payers, whose records change with the signature; the same in each call of a process
 * @returns undefined if nothing was written: {@link recordSignature} may still write it, and finds the reason
 */
export const recordPlainSignature = (
  database: Kysely<Database>,
  read: ReadOperation,
  signature: Signature,
  references: readonly OperationReference[],
): Promise<OperationRow | undefined> => writePlainSignature(database)({ read, signature, references })

interface Signing {
  readonly read: ReadOperation
  readonly signature: Signature
  readonly references: readonly OperationReference[]
}

const writePlainSignature = perDatabase((database) =>
  batched(async (all: readonly Signing[]): Promise<(OperationRow | undefined)[]> => {
    // One per account: the next one's count would already be outdated.
    const signings = [...new Map(all.map((one) => [one.read.account, one])).values()]
    const column = <T>(value: (one: Signing) => T) => signings.map(value)
    const accounts = column(({ read }) => read.account)
    const { rows } = await sql<OperationRow>`with given as (
        select * from unnest(
          ${column(({ read }) => read.user_op_hash)}::text[], ${accounts}::text[],
          ${column(({ read }) => read.account_signatures)}::int8[],
          ${column(({ signature }) => signature.signature)}::text[],
          ${column(({ signature }) => Number(signature.head))}::int8[],
          ${column(({ signature }) => signature.now)}::timestamptz[],
          ${column(({ signature }) => stateAfter(signature))}::text[],
          ${column(({ signature }) => signature.nextAttemptAt)}::timestamptz[],
          ${column(({ read }) => read.sent_by)}::text[]
        ) as given (user_op_hash, account, signatures, signature, head, now, state, next_attempt_at, sent_by)
      ), locked as materialized (
        -- In one order, so that two processes do not wait for each other.
        select address from accounts where address = any(${accounts}::text[])
        order by address for no key update
      ), counted as (
        update accounts set signatures = accounts.signatures + 1
        from given join locked on locked.address = given.account
        where accounts.address = given.account and accounts.signatures = given.signatures
        returning accounts.address
      )
      update operations set
        state = given.state, signature = given.signature, signed_at = given.now, signed_at_block = given.head,
        built_by = null, sent_by = given.sent_by, attempts = 1, next_attempt_at = given.next_attempt_at,
        reason_code = null, reason_message = null
      from given join counted on counted.address = given.account
      where operations.user_op_hash = given.user_op_hash and operations.account = given.account
        and operations.state = 'built' and operations.build_expires_at > given.now and not operations.deploys
        and ${isNamedNowhere([...new Set(signings.flatMap(({ references }) => references))])}
        and ${conflictingHash} is null and ${hasRoom}
      returning operations.*`.execute(database)
    const signed = new Map(rows.map((row) => [row.user_op_hash, row]))
    return all.map((one) => (signings.includes(one) ? signed.get(one.read.user_op_hash) : undefined))
  }),
)

/**
 * Maximum number of nonces of an account on a network with a signed operation that is not included yet: 16 lanes,
 * and as many sessions and orders again, twice. Each costs the bundler work until it is included.
 */
export const maxUnresolvedNonces = 48

/** For a row of operations: the nonces with signed operations of its account and network, except its own. */
const unresolvedNonces = sql<number>`(
  select count(distinct (unresolved.nonce_key, unresolved.nonce_sequence))::int4 from operations unresolved
  where unresolved.account = operations.account and unresolved.network = operations.network
    and not unresolved.final and unresolved.state <> 'included' and unresolved.signature is not null
    and unresolved.state in ('submitting', 'submitted')
    and (unresolved.nonce_key, unresolved.nonce_sequence)
      is distinct from (operations.nonce_key, operations.nonce_sequence))`

const hasRoom = sql<boolean>`${unresolvedNonces} < ${sql.lit(maxUnresolvedNonces)}`

/** How many other nonces of a build's account have a signed operation that is not included yet. */
export async function countUnresolvedNonces(
  transaction: Transaction<Database>,
  { user_op_hash }: OperationRow,
): Promise<number> {
  const row = await transaction
    .selectFrom('operations')
    .select(unresolvedNonces.as('count'))
    .where('user_op_hash', '=', user_op_hash)
    .executeTakeFirst()
  return row?.count ?? 0
}

/** Finds the operation that prevents a build from being signed. */
export async function findConflictingOperation(
  transaction: Transaction<Database>,
  { user_op_hash }: OperationRow,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('operations')
    .select(conflictingHash.as('hash'))
    .where('user_op_hash', '=', user_op_hash)
    .executeTakeFirst()
  return row?.hash ?? undefined
}

/**
 * For a row of operations: the hash of an operation with the same nonce that is included, or signed and
 * possibly included later; null if there is none. The operation that it replaces is exempt, and so are those
 * which that one has replaced.
 */
const conflictingHash = sql<string | null>`(
  select conflicting.user_op_hash from operations conflicting
  where conflicting.account = operations.account and conflicting.network = operations.network
    and conflicting.nonce_key = operations.nonce_key and conflicting.nonce_sequence = operations.nonce_sequence
    and conflicting.user_op_hash <> operations.user_op_hash and conflicting.signature is not null
    and (conflicting.state = 'included'
      or not conflicting.final and conflicting.user_op_hash is distinct from operations.replaces
        and not exists (
          select from operations newer
          where newer.replaces = conflicting.user_op_hash and newer.signature is not null and not newer.final
        ))
  limit 1)`
