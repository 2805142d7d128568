import { BaseError, isHex, numberToHex } from 'viem'
import type { LearnedLimit } from './endpoint-state.ts'
import { namedRange, ProviderRejection, rejectionIn } from './provider-errors.ts'

type Read = (params: readonly unknown[]) => Promise<unknown>

interface Call {
  /** Sends one request. */
  readonly part: (range: Range) => Promise<unknown>
  /** Whether a part was accepted. */
  hasRead: boolean
  refusals: number
}

/** Maximum number of requests for one range; a wider one is refused, for the caller to read in parts. */
const maxParts = 64

/**
 * Maximum number of refusals for one range. A provider that refuses more takes narrower ranges only, or none:
 * the caller decides what further requests are worth.
 */
const maxRejections = 64

interface Range {
  readonly from: bigint
  readonly to: bigint
}

const widthOf = ({ from, to }: Range) => Number(to - from) + 1

/** Thrown if logs of a single block are refused: their number is not the reason. */
class BlockRejected extends BaseError {
  override readonly name = 'BlockRefused'
  /** Whether every request was refused, so that other ranges have no better prospects. */
  readonly isAll: boolean
  constructor(rejection: ProviderRejection, isAll: boolean) {
    super('The provider refuses the logs of a single block', { cause: rejection, details: rejection.details })
    this.isAll = isAll
  }
}

/** Whether an error says that a provider refuses logs, however few blocks it is asked for. */
export const rejectsAllLogs = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((inner) => inner instanceof BlockRejected && inner.isAll) !== null

/**
 * Reads logs from an endpoint that limits the blocks of a request: ranges are split as its answers require,
 * and the limit is remembered. The parts of one range are sent together, and so in one batch.
 *
 * @param limit - the endpoint's limit, in blocks
 * @param read - sends one `eth_getLogs`
 */
export function createLogReader(limit: LearnedLimit, read: Read): Read {
  return async (params) => {
    const [filter] = params
    const range = rangeOf(filter)
    if (!range) return isByHash(filter) ? readBlock(params) : read(params)
    const before = limit.save()
    try {
      return await readRange(range, {
        part: ({ from, to }) =>
          read([{ ...(filter as object), fromBlock: numberToHex(from), toBlock: numberToHex(to) }]),
        hasRead: false,
        refusals: 0,
      })
    } catch (error) {
      if (error instanceof BlockRejected) limit.restore(before)
      throw error
    }
  }

  async function readBlock(params: readonly unknown[]): Promise<unknown> {
    try {
      return await read(params)
    } catch (error) {
      const rejection = limitIn(error)
      throw rejection ? new BlockRejected(rejection, true) : error
    }
  }

  async function readRange(range: Range, call: Call): Promise<unknown[]> {
    const width = limit.current
    if (widthOf(range) <= width) return readPart(range, call)
    if (widthOf(range) > maxParts * width) {
      throw new ProviderRejection('range-too-wide', 'eth_getLogs', `more than ${maxParts * width} blocks`)
    }
    // One part shows what the endpoint accepts before the others follow.
    const end = range.from + BigInt(width) - 1n
    const found = await readPart({ from: range.from, to: end }, call)
    const rest = [...split({ from: end + 1n, to: range.to }, Math.max(1, limit.proven))]
    if (rest.length > maxParts)
      return [...found, ...(await readRange({ from: end + 1n, to: range.to }, call))]
    return [...found, ...(await Promise.all(rest.map((one) => readPart(one, call)))).flat()]
  }

  async function readPart(range: Range, call: Call): Promise<unknown[]> {
    const width = widthOf(range)
    try {
      const found = await call.part(range)
      limit.accepted(width)
      call.hasRead = true
      return Array.isArray(found) ? found : []
    } catch (error) {
      const rejection = limitIn(error)
      if (!rejection) throw error
      if (width === 1) {
        call.refusals = maxRejections // the other parts end, too
        throw new BlockRejected(rejection, !call.hasRead)
      }
      if (rejection.meaning === 'range-too-wide') limit.refused(width, namedRange(rejection.details))
      if (++call.refusals >= maxRejections) throw error
      if (rejection.meaning === 'range-too-wide') return readRange(range, call)
      const [first, second] = split(range, Math.ceil(width / 2))
      // One after the other: a provider that refuses the first half may refuse everything.
      const found = first ? await readPart(first, call) : []
      return second ? [...found, ...(await readPart(second, call))] : found
    }
  }
}

/** The refusal of what a filter asks for, if an error is one. */
function limitIn(error: unknown): ProviderRejection | undefined {
  const rejection = rejectionIn(error)
  return rejection?.meaning === 'range-too-wide' || rejection?.meaning === 'too-many-results'
    ? rejection
    : undefined
}

/** Whether a filter names its only block by hash. */
export const isByHash = (filter: unknown): boolean =>
  typeof filter === 'object' && filter !== null && 'blockHash' in filter

/** The blocks of a filter; undefined if it names them by tag or hash, or in the wrong order. */
function rangeOf(filter: unknown): Range | undefined {
  if (typeof filter !== 'object' || filter === null) return undefined
  const { fromBlock, toBlock } = filter as { readonly fromBlock?: unknown; readonly toBlock?: unknown } // eth_getLogs
  if (!isHex(fromBlock) || !isHex(toBlock)) return undefined
  const range = { from: BigInt(fromBlock), to: BigInt(toBlock) }
  return range.from <= range.to ? range : undefined
}

function* split({ from, to }: Range, width: number): Generator<Range> {
  for (let start = from; start <= to; start += BigInt(width)) {
    const end = start + BigInt(width) - 1n
    yield { from: start, to: end < to ? end : to }
  }
}
