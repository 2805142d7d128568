import type { Kysely } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import type { Database, OperationRow } from '../schema.ts'
import {
  dropCompetitors,
  inclusionColumns,
  type OperationInclusion,
  withoutInclusion,
} from './record-inclusion.ts'

/** Updates an operation only if the row is unchanged since it was read. */
const updateAsRead = (database: Kysely<Database>, row: OperationRow) =>
  database
    .updateTable('operations')
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', row.state)
    .where('final', '=', row.final)
    .where('signature', 'is not distinct from', row.signature)
    .where('txn_hash', 'is not distinct from', row.txn_hash)
    .where('block_hash', 'is not distinct from', row.block_hash)

/**
 * Writes an inclusion in a final block over any state of the row. If it was sent without this service, its
 * signature stays unknown.
 *
 * @returns whether the row was unchanged since it was read
 */
export const repairInclusion = (
  database: Kysely<Database>,
  row: OperationRow,
  { inclusion, now }: { inclusion: OperationInclusion; now: Date },
): Promise<boolean> =>
  inTransaction(database, async (transaction) => {
    const { numUpdatedRows } = await updateAsRead(transaction, row)
      .set({
        ...inclusionColumns(inclusion),
        signed_at: row.signed_at ?? now,
        signed_at_block: row.signed_at_block ?? Number(inclusion.blockNumber),
      })
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await dropCompetitors(transaction, row)
    return true
  })

/**
 * Resets an included operation as after a reorg, although it was final: the worker checks the chain, and sends
 * the identical operation if it may still be included.
 *
 * @returns as `repairInclusion`
 */
export async function repairMissingInclusion(
  database: Kysely<Database>,
  row: OperationRow,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await updateAsRead(database, row)
    .set({
      ...withoutInclusion,
      state: row.signature === null ? 'dropped' : 'submitted',
      final: false,
      reason_message: 'The chain has no block with it. It will be sent again.',
      next_attempt_at: now,
    })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
