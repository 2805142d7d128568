import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'

/** The nonce of an included operation is used: others with it can no longer come. */
export async function dropCompetitors(
  transaction: Transaction<Database>,
  row: Pick<OperationRow, 'user_op_hash' | 'account' | 'network' | 'nonce_key' | 'nonce_sequence'>,
): Promise<void> {
  await transaction
    .updateTable('operations')
    .set({
      state: 'dropped',
      reason_code: 'REPLACED',
      reason_message: `Its nonce was used by ${row.user_op_hash}.`,
    })
    .where('account', '=', row.account)
    .where('network', '=', row.network)
    .where('nonce_key', '=', row.nonce_key)
    .where('nonce_sequence', '=', row.nonce_sequence)
    .where('user_op_hash', '<>', row.user_op_hash)
    .where('final', '=', false)
    .where('state', 'in', ['submitting', 'submitted'])
    .execute()
}

/**
 * A reorg took the operation's block: it is waiting again, and the worker sends the identical operation. One that another
 * bundler included has no signature here to send.
 */
export async function recordReorg(database: Kysely<Database>, row: OperationRow, now: Date): Promise<void> {
  await database
    .updateTable('operations')
    .set({
      state: row.signature === null ? 'dropped' : 'submitted',
      txn_hash: null,
      block_number: null,
      block_hash: null,
      included_at: null,
      success: null,
      gas_cost: null,
      reason_code: 'REORGED',
      reason_message: 'A reorg removed its block; it is sent again.',
      next_attempt_at: now,
    })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', 'included')
    .where('final', '=', false)
    .where('block_hash', '=', row.block_hash)
    .execute()
}
