import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
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
export const displaceUnprovenEoa = (transaction: Transaction<Database>, address: string): Promise<boolean> =>
  deleteEoa(transaction, address, sql.lit(true))

/**
 * Deletes accounts of EOAs that were created before a time without proof, and for which there is not even a build. Creating
 * such an account again writes the same row.
 *
 * @returns the number of accounts found, at most `limit`
 */
export async function deleteLapsedEoas(
  database: Kysely<Database>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const isLapsed = sql<boolean>`not confirmed and created_at < ${before}::timestamptz
    and not exists (select from operations where operations.account = accounts.address)`
  const lapsed = await database
    .selectFrom('accounts')
    .select('address')
    .where(isUnprovenEoa)
    .where(isLapsed)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  for (const { address } of lapsed)
    await database.transaction().execute((transaction) => deleteEoa(transaction, address, isLapsed))
  return lapsed.length
}

const isUnprovenEoa = sql<boolean>`deployment ->> 'kind' = 'eip7702' and signatures = 0`

/** @returns whether there was an unproven one that met the condition */
async function deleteEoa(
  transaction: Transaction<Database>,
  address: string,
  condition: RawBuilder<boolean>,
): Promise<boolean> {
  const displaced = await transaction
    .selectFrom('accounts')
    .select('user_id')
    .where('address', '=', address)
    .where(isUnprovenEoa)
    .where(condition)
    .forUpdate()
    .executeTakeFirst()
  if (!displaced) return false
  await deleteSponsorshipsOf(transaction, address)
  await deleteBuildsOf(transaction, address)
  await transaction.deleteFrom('accounts').where('address', '=', address).execute()
  await transaction.deleteFrom('users').where('id', '=', displaced.user_id).execute()
  return true
}
