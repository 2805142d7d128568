import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Wallet } from './safe-kind.ts'
import { type AnyWallet, requireSafe, toAnyWallet } from './wallet.ts'

/**
 * Finds the Safe of a user.
 *
 * @throws UNKNOWN_WALLET, NOT_SUPPORTED_BY_ACCOUNT
 */
export const findUserWallet = async (database: Kysely<Database>, userId: string): Promise<Wallet> =>
  requireSafe(await findAnyUserWallet(database, userId))

/**
 * Finds the account of a user, of any kind.
 *
 * @throws UNKNOWN_WALLET
 */
export async function findAnyUserWallet(database: Kysely<Database>, userId: string): Promise<AnyWallet> {
  const row = await database
    .selectFrom('accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) throw new LanyardError('UNKNOWN_WALLET')
  return toAnyWallet(row)
}
