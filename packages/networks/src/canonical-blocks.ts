import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import { BlockNotFoundError, type Hash } from 'viem'
import type { Network } from './network.ts'

/** A block that contains something of interest. */
export interface SeenBlock {
  readonly number: number
  readonly hash: Hash
}

/** The result of one check. */
interface BlockCheck {
  /** Whether the chain has this block at its height; undefined until a later check. */
  isCanonical(block: SeenBlock): boolean | undefined
}

/** Tracks which blocks are still on the chain. */
export interface CanonicalBlocks {
  /**
   * Checks blocks. Of the known blocks it requests only the highest: blocks are hash-linked, so if that one
   * is still on the chain, all earlier ones are. Each other height is requested once, and one check makes a
   * bounded number of requests.
   *
   * A block above the chain's head counts as reorged: a node that returns with an older state is like any
   * other reorg. A node that lacks a block below its own head contradicts itself, and is ignored.
   *
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
   */
  check(blocks: readonly SeenBlock[]): Promise<BlockCheck>
}

/** Maximum number of heights that one check requests. */
const maxReads = 50

export function createCanonicalBlocks(network: Pick<Network, 'call' | 'config'>): CanonicalBlocks {
  /** Hashes by height, all from one chain. */
  let known = new Map<number, Hash>()

  /** Forgets what a reorg removed: the canonical blocks are a prefix of the known ones, in order of height. */
  async function forgetReorged(): Promise<void> {
    const heights = [...known.keys()].sort((a, b) => a - b)
    const isCanonical = async (index: number) => {
      const height = heights[index] ?? 0
      return (await readBlockHash(network, height)) === known.get(height)
    }
    if (heights.length === 0 || (await isCanonical(heights.length - 1))) return
    let canonical = 0
    let reorged = heights.length - 1
    while (canonical < reorged) {
      const middle = (canonical + reorged) >> 1
      if (await isCanonical(middle)) canonical = middle + 1
      else reorged = middle
    }
    for (const height of heights.slice(canonical)) known.delete(height)
  }

  return {
    async check(blocks) {
      const wanted = new Set(blocks.map(({ number }) => number))
      if (wanted.size === 0) return { isCanonical: () => undefined }
      // Blocks that are no longer requested are final or reorged.
      known = new Map([...known].filter(([height]) => wanted.has(height)))
      await forgetReorged()
      const unknown = [...wanted].filter((height) => !known.has(height)).slice(0, maxReads)
      const read = new Map(
        await Promise.all(
          unknown.map(async (height) => [height, await readBlockHash(network, height)] as const),
        ),
      )
      const before = new Map(known)
      const isAt = (map: ReadonlyMap<number, Hash | null>, { number, hash }: SeenBlock) =>
        map.has(number) ? map.get(number) === hash : undefined
      for (const [height, hash] of read) if (hash !== null) known.set(height, hash)
      // These responses belong to one chain only if no reorg happened between them.
      if (read.size > 0 && !(await isOneChain(before))) known = before
      return { isCanonical: (block) => isAt(before, block) ?? isAt(read, block) }
    },
  }

  /** Whether the chain still has both the highest earlier block and the highest of all. */
  async function isOneChain(before: ReadonlyMap<number, Hash>): Promise<boolean> {
    const highest = [Math.max(...before.keys()), Math.max(...known.keys())].filter(Number.isFinite)
    const hashes = await Promise.all(highest.map((height) => readBlockHash(network, height)))
    return highest.every((height, index) => hashes[index] === known.get(height))
  }
}

/** A node that lags behind has the block a moment later, milliseconds. */
const looksForBlock: readonly number[] = [300, 700]

/**
 * The hash of the chain's block at a height; null if the chain does not reach it. One answer does not show
 * that: another node of the provider may be ahead.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, also if the node lacks a block below its own head
 */
export async function readBlockHash(
  network: Pick<Network, 'call' | 'config'>,
  height: number,
): Promise<Hash | null> {
  for (const wait of [...looksForBlock, undefined]) {
    const found = await lookForBlock(network, height)
    if (found !== null) return found
    if (wait !== undefined && !network.config.local) await delay(wait)
  }
  return null
}

async function lookForBlock(network: Pick<Network, 'call' | 'config'>, height: number): Promise<Hash | null> {
  return network.call(async (client) => {
    try {
      const block = await client.getBlock({ blockNumber: BigInt(height) })
      return block.hash
    } catch (error) {
      if (!(error instanceof BlockNotFoundError)) throw error
      if ((await client.getBlockNumber()) < BigInt(height)) return null
      throw new LanyardError('NETWORK_FAILED', {
        message: `${network.config.name} has no block ${height}, below its head.`,
        cause: error,
      })
    }
  })
}
