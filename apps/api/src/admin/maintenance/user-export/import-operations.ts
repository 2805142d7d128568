import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { UserExport } from './user-export.ts'

type Operations = UserExport['operations']

/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const chunkSize = 500

/**
 * Adds the operations that are not here. Signed ones are taken up by the worker, which asks the chain by their hash.
 *
 * @returns how many were added
 */
export async function importOperations(
  transaction: Transaction<Database>,
  operations: Operations,
): Promise<number> {
  const missing = await withoutPresent(transaction, operations)
  for (let start = 0; start < missing.length; start += chunkSize) {
    const rows = missing.slice(start, start + chunkSize).map((row) => ({
      ...row,
      user_op: JSON.stringify(row.user_op),
      session_key: row.session_key === null ? null : JSON.stringify(row.session_key),
      // Another row, which may come later in the document.
      replaces: null,
    }))
    await transaction.insertInto('operations').values(rows).execute()
  }
  for (const { user_op_hash, replaces } of missing) {
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
  return missing.length
}

async function withoutPresent(
  transaction: Transaction<Database>,
  operations: Operations,
): Promise<Operations> {
  const [first] = operations
  if (!first) return []
  const present = await transaction
    .selectFrom('operations')
    .select('user_op_hash')
    .where('account', '=', first.account)
    .execute()
  const hashes = new Set(present.map(({ user_op_hash }) => user_op_hash))
  return operations.filter(({ user_op_hash }) => !hashes.has(user_op_hash))
}
