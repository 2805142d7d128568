import type { Network } from '@lanyard/networks'
import type { Address, Hex } from 'viem'
import { getAbiItem } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

const userOperationEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })

/** Many RPC providers answer eth_getLogs for so many blocks at most. */
const blocksWithoutBound = 1_000n

/**
 * Whether the chain has the operation's UserOperationEvent, whoever bundled it.
 *
 * @param fromBlock - its event is in no earlier block; by default the last 1,000 blocks are looked through.
 */
export async function hasLanded(
  network: Network,
  entryPoint: Address,
  userOpHash: Hex,
  fromBlock?: bigint,
): Promise<boolean> {
  return await network.call(async (client) => {
    const head = fromBlock === undefined ? await client.getBlockNumber() : 0n
    const logs = await client.getLogs({
      address: entryPoint,
      event: userOperationEvent,
      args: { userOpHash },
      fromBlock: fromBlock ?? (head > blocksWithoutBound ? head - blocksWithoutBound : 0n),
      toBlock: 'latest',
    })
    return logs.length > 0
  })
}
