import { LanyardError } from '@lanyard/contracts'
import type { Networks } from '@lanyard/networks'
import { type Address, isAddressEqual } from 'viem'
import type { AnyWallet } from '../accounts/wallet.ts'
import { onEachNetwork } from './on-each-network.ts'
import { readOwners } from './read-owners.ts'

/**
 * Requires that an EOA owns a wallet: as its first owner, or on at least one network now.
 *
 * @throws UNKNOWN_OWNER; NETWORK_UNAVAILABLE when a network that may know the owner does not answer
 */
export async function requireOwnerSomewhere(
  networks: Networks,
  wallet: AnyWallet,
  eoaAddress: Address,
): Promise<void> {
  const answers = await onEachNetwork(networks, (network) => readOwners(network, wallet))
  const owners = answers.flatMap((answer) => ('owners' in answer ? answer.owners : []))
  if (owners.some((owner) => isAddressEqual(owner, eoaAddress))) return
  if (answers.some((answer) => 'status' in answer)) throw new LanyardError('NETWORK_UNAVAILABLE')
  throw new LanyardError('UNKNOWN_OWNER')
}
