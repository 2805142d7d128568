import type { Network } from '@lanyard/networks'
import type { Address, Hex } from 'viem'
import { getAbiItem } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

const userOperationEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })

/** Many RPC providers answer eth_getLogs for so many blocks at most. */
const blocksWithoutBound = 1_000n

/** After a reorg, or on a chain that lost blocks, it may be so much earlier than the head was when it was sent. */
const deepestReorg = 64n

/**
 * Whether the chain has the operation's UserOperationEvent, whoever bundled it.
 *
 * @param fromBlock - the head when it could first be sent; by default the last 1,000 blocks are looked through.
 */
export async function hasLanded(
  network: Network,
  entryPoint: Address,
  userOpHash: Hex,
  fromBlock?: bigint,
): Promise<boolean> {
  return await network.call(async (client) => {
    const head = await client.getBlockNumber()
    const first =
      fromBlock === undefined
        ? head - blocksWithoutBound
        : (fromBlock < head ? fromBlock : head) - deepestReorg
    const logs = await client.getLogs({
      address: entryPoint,
      event: userOperationEvent,
      args: { userOpHash },
      fromBlock: first > 0n ? first : 0n,
      toBlock: 'latest',
    })
    return logs.length > 0
  })
}
