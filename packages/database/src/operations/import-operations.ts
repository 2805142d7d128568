import type { Transaction } from 'kysely'
import type { Database, NewOperationRow, OperationRow } from '../schema.ts'

/** Rows per statement: PostgreSQL allows 65,535 parameters. */
const chunkSize = 500

/**
 * Adds operations from another installation, each in its state there.
 *
 * @param operations - none of them exists here
 */
export async function importOperations(
  transaction: Transaction<Database>,
  operations: readonly (NewOperationRow & Pick<OperationRow, 'replaces'>)[],
): Promise<void> {
  for (let start = 0; start < operations.length; start += chunkSize) {
    const rows = operations.slice(start, start + chunkSize).map((row) => ({
      ...row,
      // Refers to another row, which may be imported later.
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
      // The referenced operation was not exported: only the history of a nonce is lost.
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
