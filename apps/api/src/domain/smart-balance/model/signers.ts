import { toOwner } from '@lanyard/accounts'
import { type CredentialRow, type Database, findAccount } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type OrderSigner, signerId } from '@lanyard/smart-balance'
import type { Kysely } from 'kysely'
import type { Address, Hex } from 'viem'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { toWallet } from '../../accounts/accounts/wallet.ts'
import { describeOwners, toPasskeyOwner } from '../../accounts/owners/describe-owners.ts'
import { findOwnedWallet } from '../../accounts/owners/owned-wallet.ts'
import { readOwners } from '../../accounts/owners/read-owners.ts'
import { listCredentials } from '../../accounts/passkeys/credentials.ts'

/**
 * Ids of the signers that could debit an account, as far as this service knows: the first owner and the
 * passkeys.
 */
export async function findKnownSigners(database: Kysely<Database>, account: string): Promise<Hex[]> {
  const row = await findAccount(database, account)
  if (!row) return []
  const credentials = await listCredentials(database, row.user_id)
  const signers: OrderSigner[] = [toWallet(row).owner, ...credentials.map(toPasskeyOwner)]
  return [...new Set(signers.map(signerId))]
}

/**
 * The owners who can sign for an account on a network, the first owner first.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function findOrderSigners(
  database: Kysely<Database>,
  network: Network,
  wallet: Wallet,
): Promise<OrderSigner[]> {
  const [{ owners }, { credentials }] = await Promise.all([
    readOwners(network, wallet),
    findOwnedWallet(database, wallet.address),
  ])
  return toOrderSigners(network, wallet, owners, credentials)
}

/**
 * Those of an account's owners on a network who can sign, the first owner first.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function toOrderSigners(
  network: Network,
  wallet: Wallet,
  owners: readonly Address[],
  credentials: readonly CredentialRow[],
): Promise<OrderSigner[]> {
  const described = await describeOwners(network, wallet, owners, credentials)
  const signers = described.flatMap(({ address, kind, credential }): OrderSigner[] => {
    if (credential) return [toPasskeyOwner(credential)]
    return kind === 'eoa' ? [toOwner({ address })] : []
  })
  const first = signerId(wallet.owner)
  return signers.toSorted((a, b) => Number(signerId(b) === first) - Number(signerId(a) === first))
}
