import { isTokenPaymaster } from '@lanyard/bundler'
import { type OperationRow, recordInclusion } from '@lanyard/database'
import {
  type BlockRange,
  blocksIn,
  entryPointsOf,
  type Network,
  walkBack,
  walkRecent,
} from '@lanyard/networks'
import { tokenPaymasterAbi } from '@lanyard/onchain'
import type { Address, Block, Hash, Hex, Log, PublicClient } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { getAbiItem } from 'viem/utils'
import { recentBlocks } from '../../../platform/recent-blocks.ts'
import { describeRevert, type OperationDependencies, type OperationFeatures } from '../dependencies.ts'
import { toNonce } from '../nonces.ts'

const userOperationEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })
const feePaidEvent = getAbiItem({ abi: tokenPaymasterAbi, name: 'FeePaid' })
const revertReasonEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationRevertReason' })

/** Maximum number of topics in one filter. */
const maxHashes = 200

/**
 * Another operation may take the nonce between a build and its signature. A build lives for ten minutes, so the
 * search starts this much earlier, milliseconds.
 */
const beforeSignature = 30 * 60_000

/** The content of a `UserOperationEvent`, whichever bundler sent it. */
export interface Inclusion {
  readonly userOpHash: Hash
  readonly txnHash: Hash
  readonly blockNumber: bigint
  readonly blockHash: Hash
  readonly timestamp: Date
  readonly success: boolean
  /** wei */
  readonly gasCost: bigint
  /** Units of gas that `gasCost` pays for. */
  readonly gasUsed: bigint
  /** What TokenPaymaster took for the gas, in base units of its token; undefined: nothing. */
  readonly feePaid: bigint | undefined
  /** What the calls reverted with; `0x` when they ran out of gas or reverted without data. */
  readonly revertData: Hex | undefined
}

/** Why the calls of an operation reverted, for its row and for answers; undefined if they did not. */
export const revertReasonOf = (
  features: Pick<OperationFeatures, 'revertDecoders'>,
  { revertData }: Pick<Inclusion, 'revertData'>,
): string | undefined => (revertData === undefined ? undefined : describeRevert(features, revertData))

/** Records an inclusion. @returns the row, unless it has this inclusion already or is final */
export const recordIncluded = (
  { database, features }: Pick<OperationDependencies, 'database' | 'features'>,
  inclusion: Inclusion,
): Promise<OperationRow | undefined> =>
  recordInclusion(database, { ...inclusion, revertReason: revertReasonOf(features, inclusion) })

/** A network, or what one of its origins says. */
type Chain = Pick<Network, 'call' | 'config'> & Partial<Pick<Network, 'limits'>>

interface Search {
  readonly hashes: readonly Hash[]
  /** The head when the first of them could be sent. */
  readonly fromBlock: bigint
}

/**
 * Reads the inclusions of operations from the chain itself. The newest blocks come first, and the search ends as
 * soon as everything is found.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readInclusions(network: Chain, { hashes, fromBlock }: Search): Promise<Inclusion[]> {
  const found: Inclusion[] = []
  for (let start = 0; start < hashes.length; start += maxHashes) {
    found.push(...(await readSome(network, { hashes: hashes.slice(start, start + maxHashes), fromBlock })))
  }
  return found
}

async function readSome(network: Chain, { hashes, fromBlock }: Search): Promise<Inclusion[]> {
  const filter = { userOpHash: [...hashes] }
  return toInclusions(network, await readEvents(network, { filter, fromBlock, most: hashes.length }))
}

/** Which `UserOperationEvent`s to read. */
export interface EventFilter {
  readonly userOpHash?: Hash[]
  readonly sender?: Address[]
  readonly paymaster?: Address[]
}

interface EventSearch {
  readonly filter: EventFilter
  readonly fromBlock: bigint
  /** The maximum number of events that can exist. */
  readonly most?: number
}

interface EventRange extends Omit<BlockRange, 'toBlock'> {
  readonly toBlock: bigint | 'latest'
}

/** `UserOperationEvent`s of some operations or accounts, newest blocks first. */
export async function readEvents(
  network: Chain,
  { filter, fromBlock, most = Number.POSITIVE_INFINITY }: EventSearch,
): Promise<EventLog[]> {
  const walk = walkBack(network, fromBlock, readLogs(network, filter))
  const found: EventLog[] = []
  for await (const { result } of walk) {
    found.push(...result)
    if (found.length >= most) break
  }
  return found
}

const readLogs = (network: Chain, filter: EventFilter) => (client: PublicClient, range: EventRange) =>
  client.getLogs({
    ...range,
    address: [...entryPointsOf(network.config)],
    event: userOperationEvent,
    args: filter,
    strict: true,
  })

/** The same of recent blocks, for a search without a known beginning. */
export async function readRecentEvents(network: Network, filter: EventFilter): Promise<EventLog[]> {
  const limit = filter.userOpHash?.length ?? Number.POSITIVE_INFINITY
  const found: EventLog[] = []
  for await (const { result } of walkRecent(network, recentBlocks, readLogs(network, filter))) {
    found.push(...result)
    if (found.length >= limit) break
  }
  return found
}

/** The chain's events about operations whose nonces are used. */
export interface NonceOutcomes {
  /** Inclusions of the operations that used the nonces: the operations themselves, or others. */
  readonly included: readonly Inclusion[]
  /** Operations whose nonce another operation used, as an event shows. */
  readonly taken: readonly OperationRow[]
}

/**
 * Finds which operations used the nonces, from all events of their accounts. For an operation in neither
 * list, the outcome is unknown: a node's logs lag behind its state, or a contract incremented the nonce
 * itself.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readNonceOutcomes(
  network: Network,
  rows: readonly OperationRow[],
): Promise<NonceOutcomes> {
  if (rows.length === 0) return { included: [], taken: [] }
  const events = await readEvents(network, {
    filter: { sender: [...new Set(rows.map(({ account }) => account as Address))] }, // the column holds 0x and 40 digits
    fromBlock:
      BigInt(Math.min(...rows.map(({ signed_at_block }) => signed_at_block ?? 0))) -
      blocksIn(network.config, beforeSignature),
  })
  const byNonce = new Map(
    events.map((event) => [`${event.args.sender.toLowerCase()}:${event.args.nonce}`, event]),
  )
  const users = rows.flatMap((row) => {
    const nonce = toNonce({ key: row.nonce_key, sequence: row.nonce_sequence })
    const event = byNonce.get(`${row.account}:${nonce}`)
    return event ? [{ row, event }] : []
  })
  return {
    included: await toInclusions(network, [...new Set(users.map(({ event }) => event))]),
    taken: users.filter(({ row, event }) => event.args.userOpHash !== row.user_op_hash).map(({ row }) => row),
  }
}

export type EventLog = Log<bigint, number, false, typeof userOperationEvent, true>

/** Adds the block times, which many nodes put into the logs, or reads each block once, and the reasons why calls reverted. */
export async function toInclusions(network: Chain, logs: readonly EventLog[]): Promise<Inclusion[]> {
  const blocks = new Map<Hash, Promise<Pick<Block, 'timestamp'>>>()
  const blockOf = ({ blockHash, blockTimestamp }: EventLog) => {
    if (typeof blockTimestamp === 'bigint' && blockTimestamp > 0n) return { timestamp: blockTimestamp }
    const request = blocks.get(blockHash) ?? network.call((client) => client.getBlock({ blockHash }))
    blocks.set(blockHash, request)
    return request
  }
  return Promise.all(logs.map(async (log) => toInclusion(network, log, await blockOf(log))))
}

async function toInclusion(
  network: Chain,
  log: EventLog,
  { timestamp }: Pick<Block, 'timestamp'>,
): Promise<Inclusion> {
  const { userOpHash, success, actualGasCost, actualGasUsed } = log.args
  return {
    userOpHash,
    txnHash: log.transactionHash,
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    timestamp: new Date(Number(timestamp) * 1000),
    success,
    gasCost: actualGasCost,
    gasUsed: actualGasUsed,
    ...(await readDetails(network, log)),
  }
}

/** One request for an operation that pays in a token, and one for one that failed. */
async function readDetails(
  network: Chain,
  log: EventLog,
): Promise<Pick<Inclusion, 'feePaid' | 'revertData'>> {
  const { success, paymaster } = log.args
  const [feePaid, revertData] = await Promise.all([
    isTokenPaymaster(network.config, paymaster) ? readFeePaid(network, log) : undefined,
    success ? undefined : readRevertData(network, log),
  ])
  return { feePaid, revertData }
}

/** What an included operation paid for its gas in a token, in base units; undefined if it did not pay. */
export async function readFeePaid(
  network: Chain,
  { args: { userOpHash, paymaster }, blockHash }: EventLog,
): Promise<bigint | undefined> {
  const [paid] = await network.call((client) =>
    client.getLogs({
      address: paymaster,
      event: feePaidEvent,
      args: { userOpHash },
      blockHash,
      strict: true,
    }),
  )
  return paid?.args.amount
}

async function readRevertData(network: Chain, log: EventLog): Promise<Hex> {
  const [reason] = await network.call((client) =>
    client.getLogs({
      address: log.address,
      event: revertReasonEvent,
      args: { userOpHash: log.args.userOpHash },
      blockHash: log.blockHash,
      strict: true,
    }),
  )
  return reason?.args.revertReason ?? '0x'
}
