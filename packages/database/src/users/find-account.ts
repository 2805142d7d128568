import type { Kysely } from 'kysely'
import type { AccountRow, Database, UserRow } from '../schema.ts'

export interface AccountWithUser extends AccountRow, Pick<UserRow, 'kind' | 'username'> {}

/**
 * The account that an address names: a smart account, or an EOA by the account that it was the first owner of
 * (never by later owners). A smart account that itself owns another one names itself.
 *
 * @param address 0x and 40 hex digits, in any case.
 */
export async function findAccount(
  db: Kysely<Database>,
  address: string,
): Promise<AccountWithUser | undefined> {
  const key = address.toLowerCase()
  return accountsWithUsers(db)
    .where((where) =>
      where.or([where('accounts.address', '=', key), where('accounts.eoa_address', '=', key)]),
    )
    .orderBy((order) => order('accounts.address', '=', key), 'desc')
    .executeTakeFirst()
}

/** The account whose first owner is this EOA. */
export async function findAccountOfEoa(
  db: Kysely<Database>,
  eoaAddress: string,
): Promise<AccountWithUser | undefined> {
  return accountsWithUsers(db).where('accounts.eoa_address', '=', eoaAddress.toLowerCase()).executeTakeFirst()
}

function accountsWithUsers(db: Kysely<Database>) {
  return db
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.user_id')
    .selectAll('accounts')
    .select(['users.kind', 'users.username'])
}
