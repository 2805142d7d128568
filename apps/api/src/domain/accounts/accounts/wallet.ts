import type { AccountDeployment, AccountOwner } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type AccountIdentity, type Database, findAccount } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { type Address, getAddress } from 'viem'
import { fromStoredDeployment } from './stored-deployment.ts'

/** A smart account of this service, in the form that the account functions take. */
export interface Wallet {
  /** Checksummed. */
  readonly address: Address
  /** The first owner: the address and the init code follow from it. */
  readonly owner: AccountOwner
  readonly deployment: AccountDeployment
}

/** Converts a row to the form that the account functions take. */
export function toWallet(row: AccountIdentity): Wallet {
  return {
    address: getAddress(row.address),
    owner: toOwner(row),
    deployment: fromStoredDeployment(row.deployment),
  }
}

function toOwner({
  address,
  eoa_address,
  passkey_x,
  passkey_y,
  passkey_verifiers,
}: AccountIdentity): AccountOwner {
  if (eoa_address !== null) return { kind: 'eoa', address: getAddress(eoa_address) }
  if (passkey_x === null || passkey_y === null || passkey_verifiers === null) {
    throw new LanyardError('INTERNAL', { cause: `account ${address} has no owner` })
  }
  return { kind: 'passkey', x: passkey_x, y: passkey_y, verifiers: passkey_verifiers }
}

/**
 * Finds the wallet that a request names, by the address of the smart account or of the EOA in its
 * initializer.
 *
 * @throws UNKNOWN_WALLET
 */
export async function findWallet(database: Kysely<Database>, address: Address): Promise<Wallet> {
  const row = await findAccount(database, address)
  if (!row) throw new LanyardError('UNKNOWN_WALLET')
  return toWallet(row)
}
