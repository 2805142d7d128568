import type { Networks } from '@lanyard/networks'
import type { Address } from 'viem'
import type { AnyWallet } from '../accounts/wallet.ts'
import { onEachNetwork } from './on-each-network.ts'
import { readOwners } from './read-owners.ts'

/**
 * The owners of a wallet on any network, and the EOA that it was created with. Networks that are down add
 * none.
 */
export async function readOwnersAnywhere(networks: Networks, wallet: AnyWallet): Promise<readonly Address[]> {
  const answers = await onEachNetwork(networks, (network) => readOwners(network, wallet))
  const first = wallet.owner.kind === 'eoa' ? [wallet.owner.address] : []
  return [...first, ...answers.flatMap((answer) => ('owners' in answer ? answer.owners : []))]
}
