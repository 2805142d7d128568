import type { Kysely, Transaction } from 'kysely'
import type { Database, OperationRow } from '../schema.ts'
import { dropFollowers } from './drop-followers.ts'
import type { OperationPosition } from './operation-position.ts'
import type { OperationReason } from './record-delivery.ts'

/**
 * Links operations, in bundle order, to the transaction that contains them. Their wait reasons are cleared.
 */
export async function linkToBundle(
  transaction: Transaction<Database>,
  txnHash: string,
  userOpHashes: readonly string[],
): Promise<void> {
  await transaction
    .with('linked', (db) =>
      db
        .insertInto('relayer_transaction_operations')
        .values(userOpHashes.map((user_op_hash, position) => ({ txn_hash: txnHash, position, user_op_hash })))
        .onConflict((conflict) => conflict.columns(['txn_hash', 'position']).doNothing()),
    )
    .updateTable('operations')
    .set({ reason_code: null, reason_message: null, next_attempt_at: null })
    .where('user_op_hash', 'in', userOpHashes)
    .execute()
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
