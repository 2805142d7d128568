import { endpoints } from '@lanyard/contracts'
import { implement } from '../../implement.ts'
import { findChangedOwner } from '../../owners/changed-owner.ts'
import { onEachNetwork } from '../../owners/on-each-network.ts'
import { findOwnedWallet } from '../../owners/owned-wallet.ts'
import { planAddition } from '../../owners/plan-addition.ts'
import { readOwners } from '../../owners/read-owners.ts'
import { toNetworkPlan } from '../../owners/to-network-plan.ts'

export const add = implement(endpoints.owner.add, async ({ walletAddress, ...name }, context) => {
  const { database, networks } = context.services
  const owned = await findOwnedWallet(database, walletAddress)
  const added = await findChangedOwner(context, owned, name)
  return {
    networks: await onEachNetwork(networks, async (network) => {
      const { owners } = await readOwners(network, owned.wallet)
      return toNetworkPlan(network, await planAddition(network, owned.wallet, owners, added))
    }),
  }
})
