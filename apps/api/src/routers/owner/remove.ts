import { endpoints, LanyardError } from '@lanyard/contracts'
import { implement } from '../../implement.ts'
import { findChangedOwner } from '../../owners/changed-owner.ts'
import { describeOwners } from '../../owners/describe-owners.ts'
import { onEachNetwork } from '../../owners/on-each-network.ts'
import { findOwnedWallet } from '../../owners/owned-wallet.ts'
import { findOwnerAddress, planRemoval } from '../../owners/plan-removal.ts'
import { readOwners } from '../../owners/read-owners.ts'
import { toNetworkPlan } from '../../owners/to-network-plan.ts'

export const remove = implement(endpoints.owner.remove, async ({ walletAddress, ...name }, context) => {
  const { database, networks } = context.services
  const owned = await findOwnedWallet(database, walletAddress)
  const { wallet, credentials } = owned
  const removed = await findChangedOwner(context, owned, name)
  const plans = await onEachNetwork(networks, async (network) => {
    const { owners } = await readOwners(network, wallet)
    const owner = await findOwnerAddress(network, wallet, owners, removed)
    if (owner === undefined) return toNetworkPlan(network, [])
    const described = await describeOwners(network, wallet, owners, credentials)
    return toNetworkPlan(network, await planRemoval(wallet, network, described, owner))
  })
  if (plans.every(({ status }) => status === 'done')) throw new LanyardError('UNKNOWN_OWNER')
  return { networks: plans }
})
