import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { toWallet, type Wallet } from './wallet.ts'

/**
 * Finds the wallet of a user.
 *
 * @throws UNKNOWN_WALLET
 */
export async function findUserWallet(database: Kysely<Database>, userId: string): Promise<Wallet> {
  const row = await database
    .selectFrom('accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) throw new LanyardError('UNKNOWN_WALLET')
  return toWallet(row)
}
