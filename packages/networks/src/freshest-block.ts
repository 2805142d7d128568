import { isHex } from 'viem'

/**
 * The highest block that one address has shown. The nodes behind an address differ by blocks, so a read at `latest`
 * could go back in time: an estimate of an older state has too little gas, and the operation reverts.
 */
export interface FreshestBlock {
  /** 0: none was seen. */
  readonly known: number
  /** A node of this address has this block. */
  seen(block: number): void
  /**
   * Corrects `known` after requests waited for the block and no node had it: the chain has fewer blocks after a reorg,
   * or a node made the block up.
   *
   * @param since - when the wait began, by `performance.now()`
   */
  correct(since: number): void
}

/** A block that nobody has shown for this long is no reason to refuse the nodes that answer, milliseconds. */
const remembered = 30_000

export function createFreshestBlock(): FreshestBlock {
  const now = () => performance.now()
  let known = 0
  /** When a node last had the block. */
  let hadAt = 0
  /** The highest block since then. */
  let reported = 0
  let reportedAt = 0
  return {
    get known() {
      return known
    },
    seen(block) {
      if (block >= known) {
        known = block
        hadAt = now()
        reported = 0
        return
      }
      if (block > reported) reported = block
      reportedAt = now()
    },
    correct(since) {
      const isAnswered = reported > 0 && reportedAt >= since
      if (hadAt < since && isAnswered) known = reported
      // The address is silent, and those after it are behind what it showed.
      else if (now() - hadAt > remembered) known = 0
    },
  }
}

/** Where the methods that read a state name its block. */
const statePositions: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
}

/** The position of the block, if a request reads whatever is newest at the node that gets it. */
export function positionOfNewest(method: string, params: readonly unknown[]): number | undefined {
  const position = statePositions[method]
  if (position === undefined) return undefined
  const block = params[position] ?? 'latest'
  return block === 'latest' || block === 'pending' ? position : undefined
}

/** The block that an answer proves the node to have; undefined if it proves none. */
export function blockShown(method: string, [block]: readonly unknown[], answer: unknown): number | undefined {
  switch (method) {
    case 'eth_blockNumber':
      return toNumber(answer)
    case 'eth_getBlockByNumber':
      return block === 'latest' ? toNumber((answer as { number?: unknown } | null)?.number) : undefined
    case 'eth_getTransactionReceipt':
      return toNumber((answer as { blockNumber?: unknown } | null)?.blockNumber)
    case 'eth_getLogs':
      return Array.isArray(answer) ? toNumber(answer.at(-1)?.blockNumber) : undefined
    default:
      return undefined
  }
}

const toNumber = (quantity: unknown): number | undefined => (isHex(quantity) ? Number(quantity) : undefined)
