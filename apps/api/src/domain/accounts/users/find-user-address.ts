import { type Address, toChecksumAddress } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

/** The smart account of a user, checksummed. */
export async function findUserAddress(
  database: Kysely<Database>,
  userId: string,
): Promise<Address | undefined> {
  const account = await database
    .selectFrom('accounts')
    .select('address')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return account && toChecksumAddress(account.address)
}
