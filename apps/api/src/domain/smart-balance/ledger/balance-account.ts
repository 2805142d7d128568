import type { Database } from '@lanyard/database'
import { findAccount } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import { getAddress } from 'viem'

/** The account that an address names, or the address itself when this service does not have the account. */
export async function findBalanceAccount(database: Kysely<Database>, address: Address): Promise<Address> {
  const row = await findAccount(database, address)
  return row ? getAddress(row.address) : address
}
