import type { Transaction } from 'kysely'
import type { Database, NewOperationRow, OperationRow } from '../schema.ts'

/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const chunkSize = 500

/**
 * Adds operations of another installation, each in the state that it had there.
 *
 * @param operations - none of them is here
 */
export async function importOperations(
  transaction: Transaction<Database>,
  operations: readonly (NewOperationRow & Pick<OperationRow, 'replaces'>)[],
): Promise<void> {
  for (let start = 0; start < operations.length; start += chunkSize) {
    const rows = operations.slice(start, start + chunkSize).map((row) => ({
      ...row,
      // Another row, which may come later.
      replaces: null,
    }))
    await transaction.insertInto('operations').values(rows).execute()
  }
  for (const { user_op_hash, replaces } of operations) {
    if (replaces === null) continue
    await transaction
      .updateTable('operations')
      .set({ replaces })
      .where('user_op_hash', '=', user_op_hash)
      // One that was not exported: nothing but the history of a nonce is lost.
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('operations as other')
            .select('other.user_op_hash')
            .where('other.user_op_hash', '=', replaces),
        ),
      )
      .execute()
  }
}
