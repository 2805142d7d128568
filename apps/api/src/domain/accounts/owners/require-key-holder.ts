import { LanyardError } from '@lanyard/contracts'
import { type Database, findAccount } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { isContractAccountRow } from '../accounts/wallet.ts'

/** Ends Safe's list of owners, so Safe accepts neither it nor the zero address as an owner. */
const sentinel: Address = '0x0000000000000000000000000000000000000001'

const reject = (path: string, message: string) =>
  new LanyardError('INVALID_INPUT', { issues: [{ path, message }] })

/**
 * Rejects the addresses that cannot be an owner of any account. It reads nothing, so it comes before what does.
 *
 * @param field - the request's field, for the error
 * @throws INVALID_INPUT
 */
export function requireUsableAddress(owner: Address, field: string): void {
  if (isAddressEqual(owner, zeroAddress) || isAddressEqual(owner, sentinel))
    throw reject(field, 'Nobody has the key of this address. Send the address of an EOA')
}

/**
 * Rejects an owner for which nobody can hold a key: an account with such an owner could never act, and would
 * keep forever what it receives.
 *
 * @param field - the request's field, for the error
 * @throws INVALID_INPUT
 */
export async function requireKeyHolder(
  database: Kysely<Database>,
  owner: Address,
  field: string,
): Promise<void> {
  requireUsableAddress(owner, field)
  const account = await findAccount(database, owner)
  if (account?.address === owner.toLowerCase() && isContractAccountRow(account))
    throw reject(field, 'This is a smart account, which has no key. Send the address of an EOA')
}
