import type { Kysely } from 'kysely'
import type { Database, OperationRow } from '../schema.ts'

/** The columns that an inclusion sets, without an inclusion. */
export const withoutInclusion = {
  txn_hash: null,
  block_number: null,
  block_hash: null,
  included_at: null,
  success: null,
  gas_cost: null,
  reason_code: 'REORGED',
}

/**
 * `included → submitted`: a reorg removed the operation's block. It waits again, and the worker sends the
 * identical operation. One that another bundler included has no signature here to send, and becomes
 * `dropped`.
 */
export async function recordReorg(database: Kysely<Database>, row: OperationRow, now: Date): Promise<void> {
  await database
    .updateTable('operations')
    .set({
      ...withoutInclusion,
      state: row.signature === null ? 'dropped' : 'submitted',
      reason_message: 'A reorg removed its block. It will be sent again.',
      next_attempt_at: now,
    })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', 'included')
    .where('final', '=', false)
    .where('block_hash', '=', row.block_hash)
    .execute()
}
