import { safeAbi } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem'
import type { Wallet } from '../accounts/wallet.ts'

/** Who owns an account on one network. */
export interface AccountOwners {
  readonly deployed: boolean
  /** In the order of the Safe's linked list, which removing one needs. */
  readonly owners: readonly Address[]
}

const getOwners = encodeFunctionData({ abi: safeAbi, functionName: 'getOwners' })

/**
 * Reads the owners from the chain, in one round trip. An account that is not deployed has the owner that it will be
 * deployed with.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readOwners(network: Network, wallet: Wallet): Promise<AccountOwners> {
  return network.call(async (client) => {
    const [code, { data = '0x' }] = await Promise.all([
      client.getCode({ address: wallet.address }),
      client.call({ to: wallet.address, data: getOwners }),
    ])
    if (code === undefined) return { deployed: false, owners: [firstOwner(wallet)] }
    return { deployed: true, owners: decodeFunctionResult({ abi: safeAbi, functionName: 'getOwners', data }) }
  })
}

/** The owner in the account's initializer, as the Safe sees it. */
function firstOwner({ owner, deployment }: Wallet): Address {
  return owner.kind === 'eoa' ? owner.address : deployment.sharedSigner
}
