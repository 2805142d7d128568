import { type Hex, isHex, keccak256 } from 'viem'
import { z } from 'zod'
import { EndpointError } from './endpoint-error.ts'

type Parameters = readonly unknown[]

const hex = (pattern: RegExp) => z.custom<Hex>((value) => typeof value === 'string' && pattern.test(value))
const quantity = hex(/^0x[0-9a-fA-F]{1,64}$/)
const data = hex(/^0x(?:[0-9a-fA-F]{2})*$/)
/** Far above any real chain. It fits a number and the database column. */
const highestBlock = 2n ** 48n
const height = quantity.refine((value) => BigInt(value) < highestBlock)
const hash = hex(/^0x[0-9a-fA-F]{64}$/)

/** Unix seconds that calendars and the database have: up to the year 9999. */
const time = quantity.refine((value) => BigInt(value) < 253_402_300_800n)

const block = z.object({ number: height, hash, timestamp: time })
const receipt = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber: height,
  status: z.enum(['0x0', '0x1']),
  logs: z.array(z.unknown()),
})
const log = z.object({
  address: data,
  topics: z.array(hash),
  data,
  blockHash: hash,
  blockNumber: height,
  transactionHash: hash,
  removed: z.literal(false).optional(),
  blockTimestamp: time.nullish(),
})
const feeHistory = z.object({
  baseFeePerGas: z.array(quantity).min(1),
  reward: z.array(z.array(quantity)).nullish(),
})

const simulatedBlock = z.object({
  calls: z.array(
    z.object({
      status: z.enum(['0x0', '0x1']),
      gasUsed: quantity,
      returnData: data,
      logs: z.array(z.unknown()).nullish(),
    }),
  ),
})

/** Whether a response is possible for a method and these parameters. */
type Expected = (answer: unknown, parameters: Parameters) => boolean

/** Each schema is created once, because it compiles on first use. */
const like =
  <T>(shape: z.ZodType<T>, fits: (answer: T, parameters: Parameters) => boolean = () => true): Expected =>
  (answer, parameters) => {
    const { success, data } = shape.safeParse(answer)
    return success && fits(data, parameters)
  }

const isSame = (a: unknown, b: unknown) =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase()

/** A tag names a block that every chain has; a height may be above the chain's head. */
const blockAt = like(block.nullable(), (found, [at]) =>
  isHex(at) ? found === null || BigInt(found.number) === BigInt(at) : found !== null,
)

interface LogFilter {
  readonly address?: unknown
  readonly topics?: readonly unknown[]
  readonly fromBlock?: unknown
  readonly toBlock?: unknown
  readonly blockHash?: unknown
}

/** Absent or null matches any value; a list matches each of its members. */
const isWanted = (value: unknown, wanted: unknown): boolean => {
  if (wanted === undefined || wanted === null) return true
  return Array.isArray(wanted) ? wanted.some((one) => isSame(value, one)) : isSame(value, wanted)
}

/** Only logs that match the filter: a foreign log would be mistaken for ours. */
const logsFor = like(z.array(log), (logs, [requested]) => {
  const { address, topics = [], fromBlock, toBlock, blockHash } = (requested ?? {}) as LogFilter // viem's filter type
  return logs.every(
    (one) =>
      isWanted(one.address, address) &&
      isWanted(one.blockHash, blockHash) &&
      topics.every((wanted, index) => isWanted(one.topics[index], wanted)) &&
      (!isHex(fromBlock) || BigInt(one.blockNumber) >= BigInt(fromBlock)) &&
      (!isHex(toBlock) || BigInt(one.blockNumber) <= BigInt(toBlock)),
  )
})

interface PlacedLog {
  readonly blockNumber: string
  readonly blockHash: string
  readonly logIndex?: string | null
}

const byPlace = (a: PlacedLog, b: PlacedLog) =>
  Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex ?? 0) - Number(b.logIndex ?? 0)

const isSamePlace = (a: PlacedLog, b: PlacedLog) => byPlace(a, b) === 0 && a.blockHash === b.blockHash

/**
 * Logs in the order of the chain, each once: nodes that collect them from several places repeat or mix them, and a
 * transfer must not be told twice.
 *
 * @param logs - as `assertUsable` accepts them
 */
export function inChainOrder(logs: unknown): unknown {
  const found = logs as readonly PlacedLog[]
  const isInOrder = found.every((log, index) => {
    const before = found[index - 1]
    return before === undefined || byPlace(before, log) < 0
  })
  if (isInOrder) return logs
  const sorted = found.toSorted(byPlace)
  return sorted.filter((log, index) => {
    const before = sorted[index - 1]
    return before === undefined || log.logIndex == null || !isSamePlace(before, log)
  })
}

/** The responses of other methods are not checked. */
const answers: Readonly<Record<string, Expected>> = {
  eth_chainId: like(quantity),
  eth_blockNumber: like(height),
  eth_gasPrice: like(quantity),
  eth_maxPriorityFeePerGas: like(quantity),
  eth_getBalance: like(quantity),
  eth_getTransactionCount: like(quantity),
  eth_estimateGas: like(quantity),
  eth_call: like(data),
  eth_simulateV1: like(z.array(simulatedBlock)),
  eth_getCode: like(data),
  eth_feeHistory: like(feeHistory),
  eth_getBlockByNumber: blockAt,
  eth_getBlockByHash: like(
    block.nullable(),
    (found, [requested]) => found === null || isSame(found.hash, requested),
  ),
  eth_getTransactionByHash: like(
    z.object({ hash, input: data }).nullable(),
    (found, [requested]) => found === null || isSame(found.hash, requested),
  ),
  eth_getTransactionReceipt: like(
    receipt.nullable(),
    (found, [requested]) => found === null || isSame(found.transactionHash, requested),
  ),
  eth_getLogs: logsFor,
  eth_sendRawTransaction: like(hash, (answer, [raw]) => !isHex(raw) || isSame(answer, keccak256(raw))),
}

/**
 * Checks that an endpoint's response is possible for this request. It cannot verify what the response says
 * about the chain. But a response to another question, or a missing response where there always is one, must
 * not count as a state of the chain.
 *
 * @throws EndpointError `UnusableAnswerError`
 */
export function assertUsable(method: string, parameters: Parameters, answer: unknown): void {
  const isExpected = Object.hasOwn(answers, method) ? answers[method] : undefined
  if (isExpected && !isExpected(answer, parameters))
    throw new EndpointError('UnusableAnswerError', `The answer to ${method} cannot be right`)
}

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
  eth_simulateV1: 1,
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
