import { type Kysely, sql } from 'kysely'
import type { AccountRow, Database, UserRow } from '../schema.ts'
import { batched, perDatabase } from '../statements.ts'

export interface AccountWithUser extends AccountRow, Pick<UserRow, 'kind' | 'username'> {}

/**
 * The account that an address refers to: a smart account, or the account whose first owner is this EOA (later
 * owners do not count). A smart account that owns another one refers to itself.
 *
 * @param address 0x and 40 hex digits, in any case.
 */
export const findAccount = async (
  db: Kysely<Database>,
  address: string,
): Promise<AccountWithUser | undefined> => (await findAccounts(db, address))[0]

/**
 * All accounts that an address may refer to, at most two: the account with this address, and the one whose first owner
 * is this EOA. They differ for an EOA that is an account itself.
 *
 * @param address 0x and 40 hex digits, in any case.
 */
export const findAccounts = (db: Kysely<Database>, address: string): Promise<readonly AccountWithUser[]> =>
  findByKey(db)(address.toLowerCase())

/** Concurrent lookups share one statement. */
const findByKey = perDatabase((db) =>
  batched(async (keys: readonly string[]) => {
    const rows = await accountsWithUsers(db)
      .where(({ or, eb }) =>
        or([
          eb('accounts.address', '=', sql<string>`any(${keys}::text[])`),
          eb('accounts.eoa_address', '=', sql<string>`any(${keys}::text[])`),
        ]),
      )
      .execute()
    const byAddress = new Map(rows.map((row) => [row.address, row]))
    const byOwner = new Map(rows.map((row) => [row.eoa_address, row]))
    return keys.map((key) => [byAddress.get(key), byOwner.get(key)].filter((row) => row !== undefined))
  }),
)

/** The account with this address. */
export const findAccountAt = (db: Kysely<Database>, address: string): Promise<AccountWithUser | undefined> =>
  accountsWithUsers(db).where('accounts.address', '=', address.toLowerCase()).executeTakeFirst()

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
