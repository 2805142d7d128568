import { type Database, importOperations } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { UserExport } from './user-export.ts'

type Operations = UserExport['operations']

/**
 * Imports the missing operations. The worker takes over signed ones and looks up their hashes on the chain.
 *
 * @returns the number of imported operations
 */
export async function importMissingOperations(
  transaction: Transaction<Database>,
  operations: Operations,
): Promise<number> {
  const missing = await withoutPresent(transaction, operations)
  const rows = missing.map((row) => ({
    ...row,
    user_op: JSON.stringify(row.user_op),
    session_key: row.session_key === null ? null : JSON.stringify(row.session_key),
  }))
  await importOperations(transaction, rows)
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
