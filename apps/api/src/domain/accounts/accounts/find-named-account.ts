import { type Address, LanyardError, toChecksumAddress } from '@lanyard/contracts'
import { type AccountWithUser, type Database, findAccounts, findUserByName } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { isAddress } from 'viem'
import type { Wallet } from './kind.ts'
import { type AnyWallet, requireContractAccount, requireOne, toAnyWallet, toWallet } from './wallet.ts'

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

export interface NamedAccount {
  readonly wallet: Wallet
  /** Absent: the account of an EOA, which has no name. */
  readonly username: string | undefined
}

/**
 * Finds an account by its address, by the EOA of its first owner, or by a username.
 *
 * @throws UNKNOWN_WALLET, AMBIGUOUS_WALLET, NOT_SUPPORTED_BY_ACCOUNT
 */
export async function findNamedAccount(database: Kysely<Database>, name: string): Promise<NamedAccount> {
  const isName = !isAddress(name, { strict: false })
  const address = isName ? await addressOf(database, name) : name
  if (address === undefined) {
    const message = `No user of this service is called ${name}, or the user has no account yet.`
    throw new LanyardError('UNKNOWN_WALLET', { message })
  }
  const row = requireOne(await findAccounts(database, address))
  return { wallet: toWallet(row), username: givenName(row) }
}

/** Undefined for the account of an EOA, whose row has an invented name. */
export const givenName = ({ kind, username }: AccountWithUser): string | undefined =>
  kind === 'passkey' ? username : undefined

async function addressOf(database: Kysely<Database>, username: string) {
  const user = await findUserByName(database, username)
  return user && findUserAddress(database, user.id)
}

/**
 * Finds the Safe of a user.
 *
 * @throws UNKNOWN_WALLET, NOT_SUPPORTED_BY_ACCOUNT
 */
export const findUserWallet = async (database: Kysely<Database>, userId: string): Promise<Wallet> =>
  requireContractAccount(await findAnyUserWallet(database, userId))

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
