import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  defaultDeployment,
} from '@lanyard/accounts'
import { type Address, isAddressEqual } from 'viem'
import type { OwnershipNetwork } from './ownership/ownership-on.ts'

/**
 * Finds the contracts with which `owner` has `account`: without a module, or with Ownership. The module's address is
 * recomputed from its code (EIP-1014), so a service can choose between the two and can name no other module.
 *
 * @param networks - the answer of `GET /networks`. Not called for an account without the module.
 * @returns undefined if the account is not this owner's
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE; errors of `networks`
 */
export async function findDeployment(
  owner: AccountOwner,
  account: Address,
  networks: () => Promise<readonly OwnershipNetwork[]>,
): Promise<AccountDeployment | undefined> {
  if (isAddressEqual(computeAccountAddress(owner), account)) return defaultDeployment
  const named = await networks()
  // The module's code is 20 kB, which only accounts with the module need.
  const { ownershipOn } = await import('./ownership/ownership-on.ts')
  for (const network of named) {
    const deployment = { ...defaultDeployment, ownership: ownershipOn(network) }
    if (isAddressEqual(computeAccountAddress(owner, deployment), account)) return deployment
  }
  return undefined
}
