import type { Transaction } from 'kysely'
import type { Database } from '../schema.ts'

/**
 * Locks the account. Its reservations, its ledger and its nonces change only under this lock. The new version
 * tells builds that read the account without the lock that it has changed.
 *
 * @returns false when this service does not have the account
 */
export async function lockAccount(transaction: Transaction<Database>, account: string): Promise<boolean> {
  const row = await transaction
    .updateTable('accounts')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('address', '=', account)
    .returning('address')
    .executeTakeFirst()
  return row !== undefined
}
