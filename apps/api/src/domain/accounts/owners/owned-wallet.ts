import { LanyardError } from '@lanyard/contracts'
import type { CredentialRow, Database } from '@lanyard/database'
import { findAccount } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import { toWallet, type Wallet } from '../accounts/wallet.ts'
import { listCredentials } from '../passkeys/credentials.ts'

export interface OwnedWallet {
  readonly wallet: Wallet
  readonly userId: string
  readonly credentials: readonly CredentialRow[]
}

/**
 * Finds a wallet with its user's passkeys.
 *
 * @throws UNKNOWN_WALLET
 */
export async function findOwnedWallet(database: Kysely<Database>, address: Address): Promise<OwnedWallet> {
  const row = await findAccount(database, address)
  if (!row) throw new LanyardError('UNKNOWN_WALLET')
  return {
    wallet: toWallet(row),
    userId: row.user_id,
    credentials: await listCredentials(database, row.user_id),
  }
}
