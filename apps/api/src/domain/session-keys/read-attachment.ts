import type { Network } from '@lanyard/networks'
import { safeAbi } from '@lanyard/onchain'
import { type Address, isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/accounts/safe-kind.ts'
import { getSessionKeys } from './get-session-keys.ts'

/** How SessionKeys is attached to an account. Both lists are linked lists on chain and keep their order. */
export interface Attachment {
  readonly owners: readonly Address[]
  readonly modules: readonly Address[]
  readonly isOwner: boolean
  readonly isModule: boolean
  /** Of the head of the chain, Unix seconds. */
  readonly timestamp: number
}

/** The head of the Safe's list of modules: `SENTINEL_MODULES` in ModuleManager.sol. */
const sentinel: Address = '0x0000000000000000000000000000000000000001'

/** More modules than any account has. Reading costs nothing but the gas of an eth_call. */
const pageSize = 100n

/**
 * Reads the owners and modules at the head of the chain. An account that is not deployed has no attachment.
 *
 * @throws NO_SESSION_KEYS, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readAttachment(network: Network, { address }: Wallet): Promise<Attachment> {
  const contract = getSessionKeys(network)
  return network.call(async (client) => {
    const [code, block] = await Promise.all([client.getCode({ address }), client.getBlock()])
    const timestamp = Number(block.timestamp)
    if (code === undefined) return { owners: [], modules: [], isOwner: false, isModule: false, timestamp }
    const safe = { address, abi: safeAbi } as const
    const [owners, [modules]] = await Promise.all([
      client.readContract({ ...safe, functionName: 'getOwners' }),
      client.readContract({ ...safe, functionName: 'getModulesPaginated', args: [sentinel, pageSize] }),
    ])
    const isOurs = (other: Address) => isAddressEqual(other, contract)
    return { owners, modules, isOwner: owners.some(isOurs), isModule: modules.some(isOurs), timestamp }
  })
}
