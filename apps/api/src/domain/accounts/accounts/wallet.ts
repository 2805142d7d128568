import { type AccountDeployment, type AccountOwner, computeAccountAddress } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type AccountIdentity, type Database, findAccount, perDatabase } from '@lanyard/database'
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
  const known = knownWallets(database)
  const found = known.get(address)
  if (found) return found
  const row = await findAccount(database, address)
  if (!row) throw new LanyardError('UNKNOWN_WALLET')
  const wallet = toWallet(row)
  // An address commits to the first owner and the contracts, so what yields it can never change.
  if (computeAccountAddress(wallet.owner, wallet.deployment) !== wallet.address) return wallet
  if (known.size >= maxKnownWallets) known.clear()
  known.set(wallet.address, wallet)
  return wallet
}

/** Wallets by their checksummed addresses. */
const knownWallets = perDatabase(() => new Map<Address, Wallet>())

/** About 1 kB each. */
const maxKnownWallets = 10_000
