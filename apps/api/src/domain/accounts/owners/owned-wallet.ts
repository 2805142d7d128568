import type { AccountKind } from '@lanyard/contracts'
import { type CredentialRow, type Database, findAccounts } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import type { Wallet } from '../accounts/kind.ts'
import { type AnyWallet, requireContractAccount, requireOne, toAnyWallet } from '../accounts/wallet.ts'
import { listCredentials } from '../passkeys/credentials.ts'

export interface OwnedWallet<W extends AnyWallet = Wallet> {
  readonly wallet: W
  readonly userId: string
  readonly credentials: readonly CredentialRow[]
}

/**
 * Finds a Safe with its user's passkeys.
 *
 * @throws UNKNOWN_WALLET, AMBIGUOUS_WALLET, NOT_SUPPORTED_BY_ACCOUNT
 */
export async function findOwnedWallet(database: Kysely<Database>, address: Address): Promise<OwnedWallet> {
  const owned = await findAnyOwnedWallet(database, address)
  return { ...owned, wallet: requireContractAccount(owned.wallet) }
}

/**
 * The same for an account of any kind.
 *
 * @throws UNKNOWN_WALLET, AMBIGUOUS_WALLET
 */
export async function findAnyOwnedWallet(
  database: Kysely<Database>,
  address: Address,
  type?: AccountKind,
): Promise<OwnedWallet<AnyWallet>> {
  const row = requireOne(await findAccounts(database, address), type)
  return {
    wallet: toAnyWallet(row),
    userId: row.user_id,
    credentials: await listCredentials(database, row.user_id),
  }
}
