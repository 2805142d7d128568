import type { Network } from '@lanyard/networks'
import { safeAbi } from '@lanyard/onchain'
import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem'
import { type AnyWallet, isSafe, rulesOf } from '../accounts/kinds.ts'
import type { Wallet } from '../accounts/safe-kind.ts'

/** The owners of an account on one network. */
export interface AccountOwners {
  readonly deployed: boolean
  /** In the order of the Safe's linked list; removing an owner needs this order. */
  readonly owners: readonly Address[]
}

const getOwners = encodeFunctionData({ abi: safeAbi, functionName: 'getOwners' })

/**
 * Reads the owners from the chain in one round trip. For an account that is not deployed, the result is the
 * owner in its initializer. An EOA that is the account owns itself.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readOwners(network: Network, wallet: AnyWallet): Promise<AccountOwners> {
  if (!isSafe(wallet)) {
    const code = await network.call((client) => client.getCode({ address: wallet.address }))
    return { deployed: rulesOf(wallet).isDeployed(code), owners: [wallet.address] }
  }
  return network.call(async (client) => {
    const [code, { data = '0x' }] = await Promise.all([
      client.getCode({ address: wallet.address }),
      client.call({ to: wallet.address, data: getOwners }),
    ])
    if (code === undefined) return { deployed: false, owners: [firstOwner(wallet)] }
    return { deployed: true, owners: decodeFunctionResult({ abi: safeAbi, functionName: 'getOwners', data }) }
  })
}

/** The owner in the account's initializer, as the Safe stores it. */
function firstOwner({ owner, deployment }: Wallet): Address {
  return owner.kind === 'eoa' ? owner.address : deployment.sharedSigner
}
