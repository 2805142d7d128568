import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import { currentMeter } from '../../../platform/log/current-request.ts'

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

/** Bytes of a user, their account and a passkey, with indexes. */
const accountBytes = 2_304

/**
 * Charges a new account to who asks for it, because accounts are kept forever.
 *
 * @throws RATE_LIMITED when too many were created from the caller's address or network today
 */
export function reserveAccount(): void {
  currentMeter()?.reserveSpace('accounts', accountBytes).charge(accountBytes)
}
