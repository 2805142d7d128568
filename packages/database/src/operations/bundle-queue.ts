import type { Kysely, Transaction } from 'kysely'
import type { Database, OperationRow } from '../schema.ts'
import { dropFollowers } from './drop-followers.ts'
import type { OperationPosition } from './operation-position.ts'
import type { OperationReason } from './record-delivery.ts'

/** Operations in the order of a bundle, and the transaction that carries them. They wait for nothing else then. */
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

/** Puts a submitted operation back into the bundler's queue until a time, and says why. */
export async function deferSubmitted(
  transaction: Transaction<Database>,
  userOpHash: string,
  change: OperationReason & Pick<OperationRow, 'attempts'> & { readonly next_attempt_at: Date },
): Promise<void> {
  await transaction
    .updateTable('operations')
    .set(change)
    .where('user_op_hash', '=', userOpHash)
    .where('state', '=', 'submitted')
    .execute()
}

/** Says why submitted operations wait; they stay in the queue as they are. */
export async function noteWaiting(
  database: Kysely<Database>,
  userOpHashes: readonly string[],
  reason: OperationReason,
): Promise<void> {
  await database
    .updateTable('operations')
    .set(reason)
    .where('user_op_hash', 'in', userOpHashes)
    .where('state', '=', 'submitted')
    .execute()
}

/** `submitted → dropped`: the bundler gives it up, and with it what follows. The caller has locked the row. */
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
