import { isHex } from 'viem'
import type { LearnedLimit } from './endpoint-state.ts'
import { rejectionIn } from './provider-errors.ts'
import { inChainOrder } from './rpc-answers.ts'
import { isByHash, rejectsAllLogs } from './split-logs.ts'

type Read = (params: readonly unknown[]) => Promise<unknown>

/** A list of a filter: any of its addresses, or of the topics at a position, matches. */
interface NameList {
  readonly names: readonly unknown[]
  /** The filter with others in place of the list. */
  readonly withNames: (names: readonly unknown[]) => object
}

/**
 * Reads logs from an endpoint that limits the addresses or topics of a filter: the longest list is split as its answers
 * require, and the limit is remembered. Providers say it in words of their own, so what shows it is that they refuse a
 * single block, but not for the first name of each list.
 *
 * @param limit - the endpoint's limit, in names
 * @param read - sends one filter, for any range of blocks
 */
export function createNameReader(limit: LearnedLimit, read: Read): Read {
  /** It refused even one name, and has accepted nothing since. */
  let rejectsAll = false
  return readAll

  async function readAll(params: readonly unknown[]): Promise<unknown> {
    const [filter] = params
    const list = longestList(filter)
    if (!list || list.names.length < 2 || rejectsAll) {
      const found = await read(params)
      rejectsAll = false
      return found
    }
    if (list.names.length > limit.current) return readInParts(list)
    try {
      const found = await read(params)
      limit.accepted(list.names.length)
      return found
    } catch (error) {
      if (rejectionIn(error) === undefined || !rejectsAllLogs(error)) throw error
      // Whoever refuses this too refuses everything.
      await read([minOf(filter)]).catch(() => {
        // Who reads no block by its hash may read ranges.
        rejectsAll ||= !isByHash(filter)
        throw error
      })
      limit.refused(list.names.length)
      return readInParts(list)
    }
  }

  async function readInParts({ names, withNames }: NameList): Promise<unknown> {
    const found: unknown[] = []
    // One after the other: the first ones show what the endpoint accepts.
    for (let start = 0; start < names.length; ) {
      const size = Math.max(1, limit.current)
      const part = await readAll([withNames(names.slice(start, start + size))])
      if (Array.isArray(part)) found.push(...part)
      start += size
    }
    return inChainOrder(found)
  }
}

/** A filter with the first name of each list only and, if it names a range by numbers, the first block. */
function minOf(filter: unknown): unknown {
  const list = longestList(filter)
  if (list && list.names.length > 1) return minOf(list.withNames(list.names.slice(0, 1)))
  const { fromBlock } = filter as { readonly fromBlock?: unknown } // of eth_getLogs
  return isHex(fromBlock) ? { ...(filter as object), toBlock: fromBlock } : filter
}

/** The longest list of a filter. */
function longestList(filter: unknown): NameList | undefined {
  if (typeof filter !== 'object' || filter === null) return undefined
  const { address, topics = [] } = filter as {
    readonly address?: unknown
    readonly topics?: readonly unknown[]
  } // of eth_getLogs
  const lists: NameList[] = []
  if (Array.isArray(address))
    lists.push({ names: address, withNames: (names) => ({ ...filter, address: names }) })
  for (const [position, names] of topics.entries()) {
    if (!Array.isArray(names)) continue
    lists.push({ names, withNames: (some) => ({ ...filter, topics: topics.with(position, some) }) })
  }
  return lists.toSorted((a, b) => b.names.length - a.names.length)[0]
}
