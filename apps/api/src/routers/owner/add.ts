import { endpoints } from '@lanyard/contracts'
import { findOwnedWallet } from '../../domain/accounts/owners/owned-wallet.ts'
import { onEachNetwork, readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { requireKeyHolder, requireUsableAddress } from '../../domain/accounts/owners/require-key-holder.ts'
import {
  findChangedOwner,
  planAddition,
  toNetworkPlan,
  toOwnerName,
} from '../../domain/owners/plan-change.ts'
import { requireAlikeOwner } from '../../domain/owners/require-alike-owner.ts'
import { planPin } from '../../domain/smart-balance/ledger/plan-deposit.ts'
import { implement } from '../../pipeline/implement.ts'

export const add = implement(endpoints.owner.add, async ({ walletAddress, ...given }, context) => {
  const name = toOwnerName(given)
  if (name.ownerAddress !== undefined) requireUsableAddress(name.ownerAddress, 'ownerAddress')
  const { database, networks } = context.services
  const owned = await findOwnedWallet(database, walletAddress)
  const added = await findChangedOwner(context, owned, name)
  if ('address' in added) {
    await requireKeyHolder(database, added.address, 'ownerAddress')
    const { ownerSignature: signature } = given
    await requireAlikeOwner(networks, owned.wallet, { address: added.address, signature }, 'ownerAddress')
  }
  return {
    networks: await onEachNetwork(networks, async (network) => {
      const { owners } = await readOwners(network, owned.wallet)
      return toNetworkPlan(network, await planAddition(network, owned.wallet, owners, added, planPin))
    }),
  }
})
