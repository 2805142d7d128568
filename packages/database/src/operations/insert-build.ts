import { LanyardError } from '@lanyard/contracts'
import { sql, type Transaction } from 'kysely'
import type { Database, NewOperationRow, OperationRow } from '../schema.ts'

/**
 * Writes a build. If the identical operation is built again with the same nonce and fees, it keeps its row
 * and its first builder.
 *
 * @throws OPERATION_IN_FLIGHT if the same operation is already signed
 */
export async function insertBuild(transaction: Transaction<Database>, row: NewOperationRow): Promise<void> {
  const inserted = await transaction
    .insertInto('operations')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('user_op_hash')
        .doUpdateSet({
          built_by: sql`coalesce(operations.built_by, excluded.built_by)`,
          built_at: row.built_at,
          build_expires_at: row.build_expires_at,
          reason_code: null,
          reason_message: null,
        })
        .where('operations.signature', 'is', null),
    )
    .returning('user_op_hash')
    .executeTakeFirst()
  if (inserted) return
  throw new LanyardError('OPERATION_IN_FLIGHT', {
    message: 'This very operation is signed and under way.',
    details: { userOpHash: row.user_op_hash },
  })
}

/** The columns that depend on who signs the operation and on its validity. */
export type SignedTerms = Pick<OperationRow, 'safe_op_hash' | 'valid_after' | 'valid_until' | 'sign_mode'>

/** Restores the terms of a build that its owner replaced with a signature that was never sent. */
export async function restoreTerms(
  transaction: Transaction<Database>,
  userOpHash: string,
  { safe_op_hash, valid_after, valid_until, sign_mode }: SignedTerms,
): Promise<void> {
  await transaction
    .updateTable('operations')
    .set({ safe_op_hash, valid_after, valid_until, sign_mode })
    .where('user_op_hash', '=', userOpHash)
    .where('signature', 'is', null)
    .execute()
}
