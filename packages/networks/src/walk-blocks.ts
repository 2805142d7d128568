import { LanyardError } from '@lanyard/contracts'
import type { PublicClient } from 'viem'
import { blocksIn, type NetworkConfig } from './config.ts'
import type { Network } from './network.ts'
import { rejectsAllLogs } from './split-logs.ts'

/** Both ends inclusive. */
export interface BlockRange {
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

interface RangeToHead extends Omit<BlockRange, 'toBlock'> {
  readonly toBlock: bigint | 'latest'
}

export interface WalkOptions {
  /** Begin with the newest blocks, so that the caller can stop when it has found something. */
  readonly newestFirst?: boolean
  /**
   * Maximum number of blocks in one page; 0 ends the walk. Asked before each page. Default: as many as the RPC may be asked for at
   * once.
   */
  readonly maxWidth?: () => bigint
}

/** How often in a row a rejected page is halved before the rejection is thrown. */
const maxHalvings = 8

/** Number of accepted pages before wider ones are tried. */
const takenBeforeGrowth = 2

const isRejection = (error: unknown) =>
  error instanceof LanyardError &&
  (error.code === 'NETWORK_FAILED' || error.code === 'NETWORK_UNAVAILABLE') &&
  // A rate limit and a node that lags behind do not depend on the number of blocks.
  error.details?.retryAfter === undefined &&
  !rejectsAllLogs(error.cause)

/**
 * Reads blocks in pages. All code that reads logs uses this function. The endpoints split a page as their
 * providers require (`split-logs.ts`). A page that is too much nevertheless, such as one that takes too long, is
 * halved; after a few accepted ones, pages grow again.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED if it rejects short pages too
 */
export async function* walkBlocks<T>(
  network: Pick<Network, 'call' | 'config'>,
  { fromBlock, toBlock }: BlockRange,
  read: (client: PublicClient, range: BlockRange) => Promise<T>,
  { newestFirst = false, maxWidth = () => BigInt(network.config.rpcLogRange) }: WalkOptions = {},
): AsyncGenerator<BlockRange & { readonly result: T }> {
  let width = maxWidth()
  let rejected = 0
  let taken = 0
  let left: BlockRange = { fromBlock, toBlock }
  while (left.fromBlock <= left.toBlock) {
    width = lesser(width, maxWidth())
    if (width < 1n) return
    const range = newestFirst
      ? { fromBlock: greater(left.toBlock - width + 1n, left.fromBlock), toBlock: left.toBlock }
      : { fromBlock: left.fromBlock, toBlock: lesser(left.fromBlock + width - 1n, left.toBlock) }
    try {
      const result = await network.call((client) => read(client, range))
      rejected = 0
      if (++taken % takenBeforeGrowth === 0) width *= 2n
      left = newestFirst
        ? { ...left, toBlock: range.fromBlock - 1n }
        : { ...left, fromBlock: range.toBlock + 1n }
      yield { ...range, result }
    } catch (error) {
      if (!isRejection(error) || range.toBlock === range.fromBlock || ++rejected > maxHalvings) throw error
      taken = 0
      width = (range.toBlock - range.fromBlock + 1n) / 2n
    }
  }
}

export interface RecentOptions {
  /** How far back to read, milliseconds before the head. */
  readonly window: number
  /** Milliseconds after which no further page is read. */
  readonly atMost: number
  /** The number of `eth_getLogs` that providers may get for it, besides those that they reject for their width. */
  readonly requests: number
  /** How many `eth_getLogs` `read` makes for a range. Default: one. */
  readonly logsOfPage?: number
  /** Earlier blocks are known already. Default: none are. */
  readonly fromBlock?: bigint
}

/**
 * Reads pages from the head back for some time of the chain, whatever the time between blocks is. It ends earlier when reading
 * takes too long or too many requests: the last page says how far it came.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function* walkRecent<T>(
  network: Pick<Network, 'call' | 'config' | 'limits'>,
  { window, atMost, requests, logsOfPage = 1, fromBlock = 0n }: RecentOptions,
  read: (client: PublicClient, range: BlockRange) => Promise<T>,
): AsyncGenerator<BlockRange & { readonly result: T }> {
  const until = performance.now() + atMost
  const { number: toBlock, timestamp } = await network.call((client) => client.getBlock())
  const since = timestamp - BigInt(Math.ceil(window / 1_000))
  /** The blocks of one request, as the strictest provider has taken them. */
  const blocksOfRequest = () => Math.min(...network.limits.map(({ accepted }) => accepted.logRange))
  let left = requests
  const pages = walkBlocks(
    network,
    { fromBlock, toBlock },
    (client, range) => Promise.all([read(client, range), client.getBlock({ blockNumber: range.fromBlock })]),
    {
      newestFirst: true,
      maxWidth: () =>
        lesser(BigInt(network.config.rpcLogRange), BigInt(Math.floor(left / logsOfPage) * blocksOfRequest())),
    },
  )
  for await (const { result, ...range } of pages) {
    const [found, oldest] = result
    left -= logsOfPage * Math.ceil(Number(range.toBlock - range.fromBlock + 1n) / blocksOfRequest())
    yield { ...range, result: found }
    if (oldest.timestamp < since || performance.now() > until) return
  }
}

/**
 * After a reorg, an operation may be in an earlier block than the head at the time of signing: by so many
 * blocks, or on a fast chain by this time, milliseconds.
 */
const deepestReorg = { blocks: 64n, time: 120_000 } as const

/** Maximum number of blocks to search. More would mean that the head is wrong. */
const maxBlocks = 20_000_000n

/** By network: the head that the last walk back began at. */
const lastHeads = new WeakMap<NetworkConfig, bigint>()

/**
 * Reads backwards from the head to a block that was the head earlier, and further by the depth of a reorg.
 * The chain may now have fewer blocks than it had then. A short way is read together with the head, in one round trip.
 *
 * @param read - reads up to the newest block where it gets `latest`
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, also if the head is implausibly far away
 */
export async function* walkBack<T>(
  network: Pick<Network, 'call' | 'config'> & Partial<Pick<Network, 'limits'>>,
  since: bigint,
  read: (client: PublicClient, range: RangeToHead) => Promise<T>,
): AsyncGenerator<BlockRange & { readonly result: T }> {
  const depth = greater(deepestReorg.blocks, blocksIn(network.config, deepestReorg.time))
  const earliest = greater(since - depth, 0n)
  const isShort = (head: bigint | undefined) =>
    head !== undefined && head >= earliest && head - earliest < acceptedWidth(network)
  const [toBlock, result] = await network.call((client) =>
    Promise.all([
      client.getBlockNumber(),
      isShort(lastHeads.get(network.config))
        ? read(client, { fromBlock: earliest, toBlock: 'latest' }).catch(() => undefined) // read again below
        : undefined,
    ]),
  )
  lastHeads.set(network.config, toBlock)
  if (result !== undefined && isShort(toBlock)) {
    yield { fromBlock: earliest, toBlock, result }
    return
  }
  const fromBlock = greater(lesser(since, toBlock) - depth, 0n)
  if (toBlock - fromBlock > maxBlocks) {
    throw new LanyardError('NETWORK_FAILED', {
      message: `${network.config.name} reports block ${toBlock} as its head, ${toBlock - fromBlock} blocks after the last known one.`,
    })
  }
  yield* walkBlocks(network, { fromBlock, toBlock }, read, { newestFirst: true })
}

/** Blocks of one request that every provider of a network has taken; 0 while that is unknown. */
const acceptedWidth = ({ limits }: Partial<Pick<Network, 'limits'>>): number =>
  limits?.length ? Math.min(...limits.map(({ accepted }) => accepted.logRange)) : 0

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)
const greater = (a: bigint, b: bigint) => (a > b ? a : b)
