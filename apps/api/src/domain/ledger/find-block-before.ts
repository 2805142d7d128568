import { blocksIn, type Network } from '@lanyard/networks'

/** A block, and its time. */
export interface TimedBlock {
  readonly block: bigint
  readonly at: Date
}

/** @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, also if the node does not have the block yet */
export async function readBlockTime(
  network: Pick<Network, 'call'>,
  blockNumber: bigint,
): Promise<TimedBlock> {
  const { timestamp } = await network.call((client) => client.getBlock({ blockNumber }))
  return { block: blockNumber, at: new Date(Number(timestamp) * 1_000) }
}

/** Milliseconds by which the block may be older than the time asked for: reading them is cheaper than a longer search. */
const slack = 60 * 60_000

/** Steps back, each twice as far as the one before; and then forth. */
const maxSteps = 40

/**
 * Finds a block that is not younger than a time, and at most about an hour older. A few requests are enough for a recent time.
 *
 * @param final - the newest block to consider
 */
export async function findBlockBefore(
  network: Pick<Network, 'call' | 'config'>,
  time: Date,
  final: TimedBlock,
): Promise<TimedBlock> {
  const hour = blocksIn(network.config, slack)
  let later = final
  let found = final
  let step = blocksIn(network.config, Math.max(0, final.at.getTime() - time.getTime()))
  for (let steps = 0; found.at > time && found.block > 0n && steps < maxSteps; steps++) {
    later = found
    const block = found.block - (step > 0n ? step : 1n)
    found = await readBlockTime(network, block > 0n ? block : 0n)
    step *= 2n
  }
  for (let steps = 0; later.block - found.block > hour && steps < maxSteps; steps++) {
    const middle = await readBlockTime(network, (found.block + later.block) / 2n)
    if (middle.at <= time) found = middle
    else later = middle
    if (time.getTime() - found.at.getTime() < slack && found.at <= time) break
  }
  return found
}
