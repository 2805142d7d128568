import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'

/**
 * What an account has reserved, its ledger and its nonces change only under this lock.
 *
 * @returns false when nobody here has this account
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
