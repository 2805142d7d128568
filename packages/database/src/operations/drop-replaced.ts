import type { Kysely } from 'kysely'
import type { Database, OperationRow } from '../schema.ts'

/** `→ dropped`: the event of another operation with its nonce was seen. A reorg may still undo it. */
export async function dropReplaced(database: Kysely<Database>, row: OperationRow): Promise<void> {
  await database
    .updateTable('operations')
    .set({
      state: 'dropped',
      reason_code: 'REPLACED',
      reason_message: 'Its nonce was used by another operation.',
      next_attempt_at: null,
    })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', row.state)
    .where('final', '=', false)
    .execute()
}
