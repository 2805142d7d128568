import {
  type Kysely,
  type OperationNodeSource,
  type QueryCreator,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely'
import { usualBackoff } from '../next-attempt.ts'
import type { Database, NewRelayerTransactionRow, OperationRow } from '../schema.ts'
import { dropFollowers, type OperationPosition } from './drop-operations.ts'
import type { OperationReason } from './record-delivery.ts'

/** An operation as it was read. */
export interface ReadVersion {
  readonly hash: string
  /** PostgreSQL's `xmin` of its row, which every write changes. */
  readonly version: string
}

/** PostgreSQL's version of a row of operations. */
export const rowVersion = sql<string>`operations.xmin::text`

/** For an unproven transaction that is about to be written: its caller has another one. */
const callerIsBusy = (
  { network, relayer, nonce }: Pick<NewRelayerTransactionRow, 'network' | 'relayer' | 'nonce'>,
  hashes: readonly string[],
) => sql<boolean>`exists (
  select from ${unprovenInFlight(sql`${network}::int8`)} as busy
    join operations as own on own.user_op_hash = any(${hashes}::text[]) and coalesce(own.sent_by, '') = busy.sent_by
  where busy.nonce <> ${nonce}::int8 or busy.relayer <> ${relayer}
)`

/**
 * The unproven transactions of a network whose operations are not seen in a block yet, with who sent these. After an hour, one
 * whose nonce is never used, of a relayer that has left, holds its caller back no longer.
 */
export const unprovenInFlight = (network: RawBuilder<unknown>) => sql<{
  readonly relayer: string
  readonly nonce: number
  readonly sent_by: string
}>`(
  select tx.relayer, tx.nonce, coalesce(bundled.sent_by, '') as sent_by from relayer_transactions tx
    join relayer_transaction_operations link on link.txn_hash = tx.txn_hash
    join operations bundled on bundled.user_op_hash = link.user_op_hash
  where tx.network = ${network} and tx.state = 'live' and tx.unproven
    and tx.created_at > now() - interval '1 hour' and bundled.state <> 'included'
)`

/**
 * Writes a relayer's transaction and links operations to it, in bundle order. Their wait reasons are cleared.
 *
 * This is one statement, which sees the links as they were before it locked the operations. A bundle that another
 * relayer writes in the meantime changes their rows, so the check of the versions finds it.
 *
 * @param renew - renews the relayer's lease, and returns a row if it is still held
 * @returns `lease-lost` or `taken` if nothing was written. In the latter case, an operation has changed since it
 * was read, or is in a transaction with another nonce that may include it, or the caller of an unproven one has another one
 * on its way.
 */
export async function recordBundle(
  database: Kysely<Database>,
  transaction: NewRelayerTransactionRow,
  operations: readonly ReadVersion[],
  renew: (database: QueryCreator<Database>) => OperationNodeSource,
): Promise<'recorded' | 'taken' | 'lease-lost'> {
  if (!transaction.unproven) return await writeBundle(database, transaction, operations, renew)
  const hashes = operations.map(({ hash }) => hash)
  return await database.transaction().execute(async (trx) => {
    // Two relayers that send for one caller come here one after the other, and the next statement sees what the first wrote.
    await sql`select pg_advisory_xact_lock(hashtext('unproven ' || coalesce(sent_by, ''))) from operations
      where user_op_hash = any(${hashes}::text[])`.execute(trx)
    return await writeBundle(trx, transaction, operations, renew)
  })
}

async function writeBundle(
  database: Kysely<Database>,
  transaction: NewRelayerTransactionRow,
  operations: readonly ReadVersion[],
  renew: (database: QueryCreator<Database>) => OperationNodeSource,
): Promise<'recorded' | 'taken' | 'lease-lost'> {
  const hashes = operations.map(({ hash }) => hash)
  const versions = operations.map(({ version }) => version)
  const { network, relayer, nonce, unproven = false } = transaction
  const isTaken = unproven ? callerIsBusy(transaction, hashes) : sql`false`
  const { rows } = await sql<{ is_held: boolean; is_recorded: boolean }>`with held as (${renew(database)}),
    unchanged as materialized (
      select user_op_hash from operations
      where exists (select from held) -- locked first, as in every other write of a relayer
        and user_op_hash = any(${hashes}::text[])
        and ${rowVersion} = (${versions}::text[])[array_position(${hashes}::text[], user_op_hash)]
      order by user_op_hash for update
    ), written as (
      insert into relayer_transactions (
        txn_hash, network, relayer, nonce, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas, state,
        created_at, loss, unproven
      )
      select
        ${transaction.txn_hash}, ${network}::int8, ${relayer}, ${nonce}::int8, ${transaction.raw},
        ${transaction.gas_limit}::numeric, ${transaction.max_fee_per_gas}::numeric,
        ${transaction.max_priority_fee_per_gas}::numeric, ${transaction.state}, ${transaction.created_at}::timestamptz,
        ${transaction.loss ?? 0n}::numeric, ${unproven}::boolean
      where (select count(*) from unchanged) = ${operations.length}::int8 and not exists (
        select from relayer_transaction_operations as link join relayer_transactions as tx using (txn_hash)
        where link.user_op_hash = any(${hashes}::text[]) and tx.state in ('live', 'mined')
          -- A replacement holds the same operations under the same nonce.
          and (tx.nonce <> ${nonce}::int8 or tx.relayer <> ${relayer})
      ) and not ${isTaken}
      -- The same bytes that were lost before: signing is deterministic, and the nonce is free again.
      on conflict (txn_hash) do update set
        state = excluded.state, block_number = null, block_hash = null, created_at = excluded.created_at,
        sent_at = null
      returning txn_hash
    ), linked as (
      insert into relayer_transaction_operations (txn_hash, position, user_op_hash)
      select written.txn_hash, bundled.position - 1, bundled.user_op_hash
      from written, unnest(${hashes}::text[]) with ordinality as bundled (user_op_hash, position)
      on conflict (txn_hash, position) do nothing
    ), waiting as (
      update operations set reason_code = null, reason_message = null, next_attempt_at = null
      from written where user_op_hash = any(${hashes}::text[])
      returning account
    ), forgiven as (
      delete from account_backoffs using waiting
      where account_backoffs.network = ${network}::int8 and account_backoffs.account = waiting.account
    )
    select exists (select from held) as is_held, exists (select from written) as is_recorded`.execute(
    database,
  )
  const { is_held, is_recorded } = rows[0] ?? {}
  if (is_recorded) return 'recorded'
  return is_held ? 'taken' : 'lease-lost'
}

/** Records why submitted operations wait and when they are due again, if that changed. */
export async function keepWaiting(
  database: Kysely<Database>,
  userOpHashes: readonly string[],
  change: OperationReason & Partial<Pick<OperationRow, 'attempts' | 'next_attempt_at'>>,
): Promise<void> {
  await database
    .updateTable('operations')
    .set(change)
    .where('user_op_hash', 'in', userOpHashes)
    .where('state', '=', 'submitted')
    .execute()
}

/** As {@link keepWaiting} with a reason for each, in one statement. Two of them that meet do not wait for each other. */
export async function recordAttempts(
  database: Kysely<Database>,
  waiting: readonly (OperationReason & Pick<OperationRow, 'user_op_hash' | 'attempts' | 'next_attempt_at'>)[],
): Promise<void> {
  await sql`with waiting as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) as waiting (
        user_op_hash text, attempts int4, next_attempt_at timestamptz, reason_code text, reason_message text
      )
    ), locked as materialized (
      select user_op_hash from operations
      where user_op_hash = any(array(select user_op_hash from waiting)) and state = 'submitted'
      order by user_op_hash for update
    )
    update operations set attempts = waiting.attempts, next_attempt_at = waiting.next_attempt_at,
      reason_code = waiting.reason_code, reason_message = waiting.reason_message
    from waiting join locked using (user_op_hash)
    where operations.user_op_hash = waiting.user_op_hash`.execute(database)
}

/**
 * Operations of these accounts failed in a bundle's simulation: none of their operations is picked for a while,
 * which doubles with each failure.
 *
 * @param accounts - lower case
 */
export async function backOff(
  database: Kysely<Database>,
  network: number,
  accounts: readonly string[],
  now: Date,
): Promise<void> {
  const until = (failures: RawBuilder<number>) => sql<Date>`${now}::timestamptz
    + least(${usualBackoff.initial}::float8 * 2 ^ least(${failures}, 20), ${usualBackoff.max}::float8) * interval '1 millisecond'`
  // In one order, so that two relayers do not wait for each other.
  const ordered = [...new Set(accounts)].toSorted()
  await sql`insert into account_backoffs (network, account, failures, next_at)
    select ${network}::int8, account, 1, ${until(sql`0`)} from unnest(${ordered}::text[]) as account
    on conflict (network, account) do update set
      failures = account_backoffs.failures + 1, next_at = ${until(sql`account_backoffs.failures`)}`.execute(
    database,
  )
}

/**
 * `submitted → dropped`: the bundler gives up on the operation, and on those that depend on it. The caller
 * has locked the row.
 */
export async function dropSubmitted(
  transaction: Transaction<Database>,
  row: OperationPosition,
  reason: OperationReason,
): Promise<void> {
  await transaction
    .updateTable('operations')
    .set({ ...reason, state: 'dropped', next_attempt_at: null })
    .where('user_op_hash', '=', row.user_op_hash)
    .execute()
  await dropFollowers(transaction, row)
}
