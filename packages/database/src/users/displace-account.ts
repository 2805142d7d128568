import { sql, type Transaction } from 'kysely'
import { deleteBuildsOf } from '../operations/delete-builds.ts'
import type { Database } from '../schema.ts'
import { deleteSponsorshipsOf } from '../sponsorships/sponsorships.ts'

/**
 * Removes what was written for an EOA at the address of a contract account. The address follows from the contract
 * account's owner and deployment, so there is no key for it, and whoever created the EOA's account (kind `eip7702`) proved
 * nothing. It gives way with its unsigned builds to the account that can be proven. An address for which something was
 * signed stays, and so does one of a contract account.
 *
 * @param address in lower case
 * @returns whether there was one
 */
export async function displaceUnprovenEoa(
  transaction: Transaction<Database>,
  address: string,
): Promise<boolean> {
  const displaced = await transaction
    .selectFrom('accounts')
    .select('user_id')
    .where('address', '=', address)
    .where(sql<string>`deployment ->> 'kind'`, '=', 'eip7702')
    .where('signatures', '=', 0)
    .forUpdate()
    .executeTakeFirst()
  if (!displaced) return false
  await deleteSponsorshipsOf(transaction, address)
  await deleteBuildsOf(transaction, address)
  await transaction.deleteFrom('accounts').where('address', '=', address).execute()
  await transaction.deleteFrom('users').where('id', '=', displaced.user_id).execute()
  return true
}
