import type { Database } from '@lanyard/database'
import { type QueryCreator, type RawBuilder, sql } from 'kysely'
import type { Address } from 'viem'
import { type Lease, taking } from '../sender/lease.ts'
import type { EmbeddedContext } from './context.ts'
import { reverts } from './reverts.ts'
import {
  readStoredOperation,
  type StoredOperation,
  type StoredOperationColumns,
  storedOperationColumns,
} from './stored-operation.ts'

export interface WaitingOperation extends StoredOperation {
  /** Number of mined transactions that contained it and reverted. */
  readonly reverts: number
}

/** For a row of operations: no retry is scheduled for a later time. */
const isDue = (now: Date): RawBuilder<boolean> =>
  sql`(operations.next_attempt_at is null or operations.next_attempt_at <= ${now})`

/** One pass takes at most this many; the rest wait for the next pass. */
const maxAtOnce = 200

/**
 * The queue: submitted operations of this network that are due, are in no transaction that may still include
 * them, and whose sender has no operation in a live transaction. ERC-7562 would let a sender have several
 * operations in one bundle only if it is staked; here the first would also change the state that the second
 * was simulated on.
 */
const waiting = (db: QueryCreator<Database>, { network, now }: EmbeddedContext) =>
  db
    .selectFrom('operations')
    .select(storedOperationColumns)
    .select(reverts.as('reverts'))
    .where('operations.network', '=', network.chainId)
    .where('operations.state', '=', sql.lit('submitted'))
    .where('operations.final', '=', sql.lit(false))
    .where('operations.signed_at', 'is not', null)
    .where(isDue(now()))
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
            .where('tx.network', '=', network.chainId)
            .where('tx.state', '=', sql.lit('live'))
            .whereRef('other.account', '=', 'operations.account'),
        ),
      ),
    )
    .orderBy('operations.signed_at')
    .limit(maxAtOnce)

export async function waitingOperations(context: EmbeddedContext): Promise<WaitingOperation[]> {
  return (await waiting(context.database, context).execute()).map(readWaiting)
}

const readWaiting = ({ reverts, ...row }: StoredOperationColumns & { readonly reverts: number }) => ({
  ...readStoredOperation(row),
  reverts,
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
    .orderBy('waiting.signed_at')
    .execute()
  const fence = rows[0]?.fence ?? null
  return { waiting: rows.map(readWaiting), lease: fence === null ? null : { relayer, fence } }
}
