import { type RawBuilder, sql } from 'kysely'
import type { EmbeddedContext } from './context.ts'
import { reverts } from './reverts.ts'
import { readStoredOperation, type StoredOperation, storedOperationColumns } from './stored-operation.ts'

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
export async function waitingOperations({
  database,
  network,
  now,
}: EmbeddedContext): Promise<WaitingOperation[]> {
  const rows = await database
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
    .execute()
  return rows.map((row) => ({ ...readStoredOperation(row), reverts: row.reverts }))
}
