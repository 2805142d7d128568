import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'

/**
 * Locks the account. Its reservations, its ledger and its nonces change only under this lock.
 *
 * @returns false when this service does not have the account
 */
export async function lockAccount(transaction: Transaction<Database>, account: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('accounts')
    .select('address')
    .where('address', '=', account)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}
