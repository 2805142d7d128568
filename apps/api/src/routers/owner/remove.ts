import { endpoints, LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { endSessionsCall } from '@lanyard/session-keys'
import { describeOwners } from '../../domain/accounts/owners/describe-owners.ts'
import { findOwnedWallet } from '../../domain/accounts/owners/owned-wallet.ts'
import { onEachNetwork, readOwners } from '../../domain/accounts/owners/read-owners.ts'
import {
  findChangedOwner,
  findOwnerAddress,
  planRemoval,
  toNetworkPlan,
  toOwnerName,
} from '../../domain/owners/plan-change.ts'
import { planUnpin } from '../../domain/smart-balance/ledger/plan-deposit.ts'
import { implement } from '../../pipeline/implement.ts'

export const remove = implement(endpoints.owner.remove, async ({ walletAddress, ...given }, context) => {
  const name = toOwnerName(given)
  const { database, networks } = context.services
  const owned = await findOwnedWallet(database, walletAddress)
  const { wallet, credentials } = owned
  const removed = await findChangedOwner(context, owned, name)
  const plans = await onEachNetwork(networks, async (network) => {
    const { deployed, owners } = await readOwners(network, wallet)
    const owner = await findOwnerAddress(network, wallet, owners, removed)
    if (owner === undefined) return toNetworkPlan(network, [])
    if (!deployed) return firstOwnerPlan(network)
    const described = await describeOwners(network, wallet, owners, credentials)
    const removal = await planRemoval(wallet, network, described, owner, planUnpin)
    return toNetworkPlan(network, network.config.sessionKeys ? [...removal, endSessionsCall] : removal)
  })
  if (plans.every(({ status }) => status === 'done')) throw new LanyardError('UNKNOWN_OWNER')
  const stillSigns = plans
    .filter((plan) => plan.status === 'pending' && !('transactionDetails' in plan))
    .map(({ network }) => network)
  const [undeployed] = stillSigns
  if (undeployed !== undefined && stillSigns.length === plans.length) {
    throw new LanyardError('LAST_OWNER', {
      message: 'The account is not deployed anywhere, and this is its first owner. Add another owner first.',
      details: { network: undeployed },
    })
  }
  return { networks: plans, ...(stillSigns.length > 0 && { stillSigns }) }
})

/**
 * On a network where the account is not deployed, its first owner is part of its address. No signature can
 * remove it there: it still signs messages (ERC-6492) and the first operation.
 */
const firstOwnerPlan = ({ chainId }: Network) => ({
  network: chainId,
  status: 'pending' as const,
})
