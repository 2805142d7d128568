import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'

export interface FinalBlock {
  readonly number: bigint
  /** Unix seconds. */
  readonly timestamp: number
}

/**
 * The last block that no reorg can remove, as configured.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readFinalBlock(network: Network): Promise<FinalBlock> {
  const { finality } = network.config
  return network.call(async (client) => {
    const [block, head] = await Promise.all([
      'tag' in finality
        ? client.getBlock({ blockTag: finality.tag })
        : network.finalizedBlock().then((blockNumber) => client.getBlock({ blockNumber })),
      client.getBlockNumber(),
    ])
    // Otherwise the ledger would ignore the real chain until it reaches this height.
    if (block.number === null || block.number > head) {
      throw new LanyardError('NETWORK_FAILED', {
        message: `${network.config.name} has a final block that is above its head.`,
      })
    }
    return { number: block.number, timestamp: Number(block.timestamp) }
  })
}
