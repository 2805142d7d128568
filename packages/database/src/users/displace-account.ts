import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { deleteBuildsOf } from '../operations/delete-builds.ts'
import type { Database } from '../schema.ts'

/**
 * Removes what was written for the address of a contract account without proof: as an EOA's (kind `eip7702`), for which there is
 * no key, or as an imported account, whose address names no owner. It gives way with its unsigned builds to the account that can
 * be proven. An address for which something was signed stays, and so does one whose user linked a login or added a passkey.
 * What the service promised to pay for these builds stays, too: its signature is given.
 *
 * @param address in lower case
 * @returns whether there was one
 */
export const displaceUnproven = (transaction: Transaction<Database>, address: string): Promise<boolean> =>
  deleteUnproven(transaction, address, sql.lit(true))

/**
 * Deletes accounts of EOAs and imported ones that were created before a time without proof, and for which there is not even a
 * build. Creating or importing such an account again writes the same row.
 *
 * @returns the number of accounts found, at most `limit`
 */
export async function deleteLapsedAccounts(
  database: Kysely<Database>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const isLapsed = sql<boolean>`not confirmed and created_at < ${before}::timestamptz
    and not exists (select from operations where operations.account = accounts.address)`
  const lapsed = await database
    .selectFrom('accounts')
    .select('address')
    .where(isUnproven)
    .where(isLapsed)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  for (const { address } of lapsed)
    await database.transaction().execute((transaction) => deleteUnproven(transaction, address, isLapsed))
  return lapsed.length
}

/** A user who linked a login or added a passkey has shown a key. The passkey may be known as a guardian's, also when it is gone. */
const isUnproven = sql<boolean>`(deployment ->> 'kind' = 'eip7702' or deployment ? 'address') and signatures = 0
  and not exists (select from identities where identities.user_id = accounts.user_id)
  and not exists (select from credentials where credentials.user_id = accounts.user_id)
  and not exists (select from known_guardians where known_guardians.user_id = accounts.user_id)`

/** @returns whether there was an unproven one that met the condition */
async function deleteUnproven(
  transaction: Transaction<Database>,
  address: string,
  condition: RawBuilder<boolean>,
): Promise<boolean> {
  const displaced = await transaction
    .selectFrom('accounts')
    .select('user_id')
    .where('address', '=', address)
    .where(isUnproven)
    .where(condition)
    .forUpdate()
    .executeTakeFirst()
  if (!displaced) return false
  await deleteBuildsOf(transaction, address)
  await transaction.deleteFrom('accounts').where('address', '=', address).execute()
  await transaction.deleteFrom('users').where('id', '=', displaced.user_id).execute()
  return true
}
