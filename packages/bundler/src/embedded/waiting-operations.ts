import { delegatedDeployment } from '@lanyard/accounts'
import { type Database, debtColumns, lostByCaller, lostSince, unprovenInFlight } from '@lanyard/database'
import { type QueryCreator, sql } from 'kysely'
import type { Address } from 'viem'
import {
  readStoredOperation,
  type StoredOperation,
  type StoredOperationColumns,
  storedOperationColumns,
} from '../operation-row.ts'
import { type Lease, newLease, taking } from '../sender/lease.ts'
import type { EmbeddedContext } from './context.ts'
import { callerMemory, type Debts } from './debts.ts'
import { reverts } from './reverts.ts'

export interface WaitingOperation extends StoredOperation, Debts {
  /** Number of mined transactions that contained it and reverted. */
  readonly reverts: number
  /** How often an operation of its account has failed since one was last sent. */
  readonly failures: number
  /** Who sent it. */
  readonly sentBy: string | null
  /** What all relayers of the network lost within an hour, wei; the same in each row. */
  readonly lostLately: bigint
  /** What operations of its caller lost of that, as far as it is owed, wei. */
  readonly lostByCaller: bigint
  /** Whether an unproven operation of its caller is on its way. */
  readonly isCallerBusy: boolean
  /** Whether no other operation of its account was signed within an hour, or is unresolved. */
  readonly isOnlyOne: boolean
}

/** For a row of operations: its sender is a delegated EOA. */
const isDelegated = sql<boolean>`operations.entry_point = ${delegatedDeployment.entryPoint.toLowerCase()}`

/** Milliseconds. */
const hour = 3_600_000

/** One pass takes at most this many; the rest wait for the next pass. */
const maxAtOnce = 200

/**
 * Of an account, the operations of so many nonce keys are compared. Fees are in the stored operation, and PostgreSQL
 * takes longer to read them than for the rest of the choice.
 */
const maxLanes = 16

/** Accounts that have failed since one of their operations was sent, of those that are looked at together. */
const maxFailed = 32

/** For a row of operations: as the index `operations_unresolved` has it. */
const isUnresolved = sql`(not operations.final and operations.state <> 'included' and operations.signature is not null)`

/** For a row of operations: it is submitted, and no retry is scheduled for a later time. */
const isDue = ({ network, now }: EmbeddedContext) =>
  sql`operations.network = ${network.chainId}::int8 and ${isUnresolved} and operations.state = 'submitted'
    and (operations.next_attempt_at is null or operations.next_attempt_at <= ${now()}::timestamptz)`

/** What a bundle with an operation pays a block's producer (`bundleFees`), wei per gas. The base fee may be an older one. */
const effectiveTip = ({ network: { lastFees }, ownPaymasters }: EmbeddedContext) =>
  sql`least(
    greatest(
      (lane.user_op ->> 'maxPriorityFeePerGas')::numeric,
      case when lower(left(lane.user_op ->> 'paymasterAndData', 42)) = any (string_to_array(${ownPaymasters.join(',')}::text, ','))
        then ${lastFees?.maxPriorityFeePerGas ?? 0n}::numeric end
    ),
    (lane.user_op ->> 'maxFeePerGas')::numeric - ${lastFees?.baseFeePerGas ?? 0n}::numeric
  )`

/**
 * The queue: submitted operations of this network that are due, are in no transaction that may still include
 * them, and whose sender has no operation in a live transaction. ERC-7562 would let a sender have several
 * operations in one bundle only if it is staked; here the first would also change the state that the second
 * was simulated on.
 *
 * One of each account is chosen before the limit, so an account with thousands of operations takes one place.
 * It is the one that pays most, and of its nonce key the lowest sequence. An account whose operations failed
 * lately waits as a whole. Of those that may try again, few are looked at together: the others cost nobody time.
 *
 * It goes from account to account in the network's part of the index, and leaves out whole accounts before it reads
 * their operations. A queue grows faster than PostgreSQL counts it, so no plan may depend on its size being known.
 */
const chosen = (context: EmbeddedContext) => {
  const network = sql`${context.network.chainId}::int8`
  return sql<{ user_op_hash: string }>`(
    with recursive queued as (
      (
        select operations.account from operations where operations.network = ${network} and ${isUnresolved}
        order by operations.account limit 1
      )
      union all
      select (
        select operations.account from operations
        where operations.network = ${network} and ${isUnresolved} and operations.account > queued.account
        order by operations.account limit 1
      ) from queued where queued.account is not null
    ), busy as materialized (
      select operations.account from relayer_transactions tx
        join relayer_transaction_operations link on link.txn_hash = tx.txn_hash
        join operations on operations.user_op_hash = link.user_op_hash
      where tx.network = ${network} and tx.state = 'live'
    ), free as materialized (
      select queued.account, backoff.next_at
      from queued left join account_backoffs backoff
        on backoff.network = ${network} and backoff.account = queued.account
      where queued.account is not null and queued.account not in (select busy.account from busy)
        and (backoff.next_at is null or backoff.next_at <= ${context.now()}::timestamptz)
    ), considered as materialized (
      select free.account from free where free.next_at is null
      union all
      (select free.account from free where free.next_at is not null order by free.next_at limit ${maxFailed})
    )
    select best.user_op_hash from considered cross join lateral (
      select first.user_op_hash, first.tip, first.signed_at from (
        select distinct on (lane.nonce_key) lane.user_op_hash, lane.signed_at, ${effectiveTip(context)} as tip
        from (
          select operations.user_op_hash, operations.user_op, operations.signed_at, operations.nonce_key,
            operations.nonce_sequence, dense_rank() over (order by operations.nonce_key) as place
          from operations where operations.account = considered.account and ${isDue(context)}
        ) lane
        where lane.place <= ${maxLanes} and not exists (
          select from relayer_transaction_operations link join relayer_transactions tx on tx.txn_hash = link.txn_hash
          where link.user_op_hash = lane.user_op_hash and tx.state in ('live', 'mined')
        )
        order by lane.nonce_key, lane.nonce_sequence, tip desc, lane.signed_at
      ) first
      order by first.tip desc, first.signed_at limit 1
    ) best
    order by best.tip desc, best.signed_at limit ${maxAtOnce}
  )`.as('first')
}

/** The chosen operations that pay most. */
const waiting = (db: QueryCreator<Database>, context: EmbeddedContext) => {
  const network = sql`${context.network.chainId}::int8`
  const since = new Date(context.now().getTime() - hour)
  return (
    db
      .selectFrom(chosen(context))
      // One by one, by their key: a table that was counted while its rows were written looks empty, and worth reading as a whole.
      .innerJoinLateral(
        ({ selectFrom }) =>
          selectFrom('operations')
            .selectAll()
            .select(sql`operations.xmin`.as('xmin'))
            .whereRef('operations.user_op_hash', '=', 'first.user_op_hash')
            .limit(1)
            .as('operations'),
        (join) => join.onTrue(),
      )
      .select(storedOperationColumns)
      .select(reverts.as('reverts'))
      .select(({ selectFrom }) =>
        selectFrom('account_backoffs as backoff')
          .select('backoff.failures')
          .whereRef('backoff.network', '=', 'operations.network')
          .whereRef('backoff.account', '=', 'operations.account')
          .as('failures'),
      )
      .select('operations.sent_by')
      .select(
        debtColumns(sql.ref('operations.network'), {
          ...{ account: sql.ref('operations.account'), sentBy: sql.ref('operations.sent_by'), isDelegated },
          since: new Date(context.now().getTime() - callerMemory),
        }),
      )
      .select(lostSince(network, since).as('lost_lately'))
      .select(lostByCaller(network, sql.ref('operations.sent_by'), since).as('lost_by_caller'))
      .select(
        sql<boolean>`coalesce(operations.sent_by, '') in (
        select busy.sent_by from ${unprovenInFlight(network)} as busy
      )`.as('is_caller_busy'),
      )
      .select(
        sql<boolean>`not exists (
          select from operations other where other.account = operations.account and other.network = operations.network
            and other.signed_at > ${since}::timestamptz and other.user_op_hash <> operations.user_op_hash
        ) and not exists (
          select from operations other where other.account = operations.account and other.network = operations.network
            and not other.final and other.state <> 'included' and other.signature is not null
            and other.user_op_hash <> operations.user_op_hash
        )`.as('is_only_one'),
      )
  )
}

export async function waitingOperations(context: EmbeddedContext): Promise<WaitingOperation[]> {
  return (await waiting(context.database, context).execute()).map(readWaiting)
}

interface WaitingColumns extends StoredOperationColumns {
  readonly reverts: number
  readonly failures: number | null
  readonly sent_by: string | null
  readonly owed: bigint
  readonly caller_losses: number
  readonly has_paid: boolean
  readonly lost_lately: bigint
  readonly lost_by_caller: bigint
  readonly is_caller_busy: boolean
  readonly is_only_one: boolean
}

const readWaiting = ({
  reverts,
  failures,
  sent_by,
  owed,
  caller_losses,
  has_paid,
  lost_lately,
  lost_by_caller,
  is_caller_busy,
  is_only_one,
  ...row
}: WaitingColumns) => ({
  ...readStoredOperation(row),
  reverts,
  failures: failures ?? 0,
  sentBy: sent_by,
  owed,
  callerLosses: caller_losses,
  hasPaid: has_paid,
  lostLately: lost_lately,
  lostByCaller: lost_by_caller,
  isCallerBusy: is_caller_busy,
  isOnlyOne: is_only_one,
})

/**
 * Reads the queue, and takes the relayer's lease in the same statement if something waits.
 *
 * @returns a lease of null if nothing waits or another process holds the relayer
 */
export async function takeLeaseIfWaiting(
  context: EmbeddedContext,
  relayer: Address,
): Promise<{ waiting: WaitingOperation[]; lease: Lease | null }> {
  const rows = await context.database
    .with('waiting', (db) => waiting(db, context))
    .with('taken', (db) => taking(db, context, relayer, { condition: sql`exists (select from waiting)` }))
    .selectFrom('waiting')
    .leftJoin('taken', (join) => join.onTrue())
    .selectAll('waiting')
    .select('taken.fence')
    .execute()
  const fence = rows[0]?.fence ?? null
  return { waiting: rows.map(readWaiting), lease: fence === null ? null : newLease(relayer, fence) }
}
