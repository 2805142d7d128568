import { type Database, lostSince, owedBy, owedLossesOf } from '@lanyard/database'
import { type QueryCreator, type RawBuilder, sql } from 'kysely'
import type { Address } from 'viem'
import { type Lease, taking } from '../sender/lease.ts'
import type { EmbeddedContext } from './context.ts'
import { callerMemory, type Debts } from './debts.ts'
import { reverts } from './reverts.ts'
import {
  readStoredOperation,
  type StoredOperation,
  type StoredOperationColumns,
  storedOperationColumns,
} from './stored-operation.ts'

export interface WaitingOperation extends StoredOperation, Debts {
  /** Number of mined transactions that contained it and reverted. */
  readonly reverts: number
  /** How often an operation of its account has failed since one was last sent. */
  readonly failures: number
  /** Who sent it. */
  readonly sentBy: string | null
  /** What all relayers of the network lost within an hour, wei; the same in each row. */
  readonly lostLately: bigint
}

/** Milliseconds. */
const hour = 3_600_000

/** For a row of operations: no retry is scheduled for a later time. */
const isDue = (now: Date): RawBuilder<boolean> =>
  sql`(operations.next_attempt_at is null or operations.next_attempt_at <= ${now})`

/** One pass takes at most this many; the rest wait for the next pass. */
const maxAtOnce = 200

/**
 * Of an account, the operations of so many nonce keys are compared. Fees are in the stored operation, and PostgreSQL
 * takes longer to read them than for the rest of the choice.
 */
const maxLanes = 16

/** What an operation pays a block's producer, wei per gas, from its JSON. The base fee may be an older one. */
const effectiveTip = ({ network }: EmbeddedContext) =>
  sql`least(
    (sendable.user_op ->> 'maxPriorityFeePerGas')::numeric,
    (sendable.user_op ->> 'maxFeePerGas')::numeric - ${network.lastFees?.baseFeePerGas ?? 0n}::numeric
  )`

/** Operations that are due and could go, with the number of their nonce key among those of their account. */
const sendable = (db: QueryCreator<Database>, context: EmbeddedContext) =>
  db
    .selectFrom('operations')
    .select(['operations.user_op_hash', 'operations.account', 'operations.user_op', 'operations.signed_at'])
    .select(['operations.nonce_key', 'operations.nonce_sequence'])
    .select(
      sql<number>`dense_rank() over (partition by operations.account order by operations.nonce_key)`.as(
        'lane',
      ),
    )
    .where('operations.network', '=', context.network.chainId)
    .where('operations.state', '=', sql.lit('submitted'))
    .where('operations.final', '=', sql.lit(false))
    .where('operations.signed_at', 'is not', null)
    .where(isDue(context.now()))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account_backoffs as backoff')
            .select('backoff.account')
            .where('backoff.network', '=', context.network.chainId)
            .whereRef('backoff.account', '=', 'operations.account')
            .where('backoff.next_at', '>', context.now()),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('relayer_transaction_operations as link')
            .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
            .select('link.txn_hash')
            .whereRef('link.user_op_hash', '=', 'operations.user_op_hash')
            .where('tx.state', 'in', ['live', 'mined']),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('relayer_transactions as tx')
            .innerJoin('relayer_transaction_operations as link', 'link.txn_hash', 'tx.txn_hash')
            .innerJoin('operations as other', 'other.user_op_hash', 'link.user_op_hash')
            .select('link.txn_hash')
            .where('tx.network', '=', context.network.chainId)
            .where('tx.state', '=', sql.lit('live'))
            .whereRef('other.account', '=', 'operations.account'),
        ),
      ),
    )

/**
 * The queue: submitted operations of this network that are due, are in no transaction that may still include
 * them, and whose sender has no operation in a live transaction. ERC-7562 would let a sender have several
 * operations in one bundle only if it is staked; here the first would also change the state that the second
 * was simulated on.
 *
 * One of each account is chosen before the limit, so an account with thousands of operations takes one place.
 * It is the one that pays most, and of its nonce key the lowest sequence. An account whose operations failed
 * lately waits as a whole.
 */
const chosen = (db: QueryCreator<Database>, context: EmbeddedContext) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom(sendable(db, context).as('sendable'))
        // Of each nonce key the lowest sequence.
        .distinctOn(['sendable.account', 'sendable.nonce_key'])
        .select(['sendable.user_op_hash', 'sendable.account', 'sendable.signed_at'])
        .select(effectiveTip(context).as('tip'))
        .where('sendable.lane', '<=', maxLanes)
        .orderBy('sendable.account')
        .orderBy('sendable.nonce_key')
        .orderBy('sendable.nonce_sequence')
        .orderBy('tip', 'desc')
        .orderBy('sendable.signed_at')
        .as('due'),
    )
    .distinctOn('due.account')
    .select(['due.user_op_hash', 'due.tip', 'due.signed_at'])
    .orderBy('due.account')
    .orderBy('due.tip', 'desc')
    .orderBy('due.signed_at')

/** The chosen operations that pay most. */
const waiting = (db: QueryCreator<Database>, context: EmbeddedContext) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom(chosen(db, context).as('chosen'))
        .select('chosen.user_op_hash')
        .orderBy('chosen.tip', 'desc')
        .orderBy('chosen.signed_at')
        .limit(maxAtOnce)
        .as('first'),
    )
    .innerJoin('operations', 'operations.user_op_hash', 'first.user_op_hash')
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
    .select(owedBy(sql.ref('operations.network'), sql.ref('operations.account')).as('owed'))
    .select(
      owedLossesOf(
        sql.ref('operations.network'),
        sql.ref('operations.sent_by'),
        new Date(context.now().getTime() - callerMemory),
      ).as('caller_losses'),
    )
    .select(
      lostSince(sql`${context.network.chainId}::int8`, new Date(context.now().getTime() - hour)).as(
        'lost_lately',
      ),
    )

export async function waitingOperations(context: EmbeddedContext): Promise<WaitingOperation[]> {
  return (await waiting(context.database, context).execute()).map(readWaiting)
}

interface WaitingColumns extends StoredOperationColumns {
  readonly reverts: number
  readonly failures: number | null
  readonly sent_by: string | null
  readonly owed: bigint
  readonly caller_losses: number
  readonly lost_lately: bigint
}

const readWaiting = ({
  reverts,
  failures,
  sent_by,
  owed,
  caller_losses,
  lost_lately,
  ...row
}: WaitingColumns) => ({
  ...readStoredOperation(row),
  reverts,
  failures: failures ?? 0,
  sentBy: sent_by,
  owed,
  callerLosses: caller_losses,
  lostLately: lost_lately,
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
    .with('taken', (db) => taking(db, context, relayer, sql`exists (select from waiting)`))
    .selectFrom('waiting')
    .leftJoin('taken', (join) => join.onTrue())
    .selectAll('waiting')
    .select('taken.fence')
    .execute()
  const fence = rows[0]?.fence ?? null
  return { waiting: rows.map(readWaiting), lease: fence === null ? null : { relayer, fence } }
}
