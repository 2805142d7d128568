import type { OperationRow } from '@lanyard/database'
import { type Network, walkBack } from '@lanyard/networks'
import type { Address, Block, Hash, Hex, Log } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { getAbiItem } from 'viem/utils'
import { toNonce } from '../lanes.ts'
import { describeRevert } from './reverts.ts'

const userOperationEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })
const revertReasonEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationRevertReason' })

/** How many topics a filter takes at once. */
const maxHashes = 200

/** Between its build and its signature another operation may have taken the nonce: so many blocks may lie between. */
const blocksBeforeSignature = 2_000n

/** What `UserOperationEvent` says of an operation, whoever bundled it. */
export interface Inclusion {
  readonly userOpHash: Hash
  readonly txnHash: Hash
  readonly blockNumber: bigint
  readonly blockHash: Hash
  readonly timestamp: Date
  readonly success: boolean
  /** wei */
  readonly gasCost: bigint
  /** Why the calls reverted. */
  readonly revertReason: string | undefined
}

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
export async function readInclusions(network: Network, { hashes, fromBlock }: Search): Promise<Inclusion[]> {
  const found: Inclusion[] = []
  for (let start = 0; start < hashes.length; start += maxHashes) {
    found.push(...(await readSome(network, { hashes: hashes.slice(start, start + maxHashes), fromBlock })))
  }
  return found
}

async function readSome(network: Network, { hashes, fromBlock }: Search): Promise<Inclusion[]> {
  const filter = { userOpHash: [...hashes] }
  return toInclusions(network, await readEvents(network, { filter, fromBlock, most: hashes.length }))
}

interface EventSearch {
  readonly filter: { readonly userOpHash?: Hash[]; readonly sender?: Address[] }
  readonly fromBlock: bigint
  /** More than these there cannot be. */
  readonly most?: number
}

/** `UserOperationEvent`s of some operations, or of some accounts, the newest blocks first. */
export async function readEvents(
  network: Network,
  { filter, fromBlock, most = Number.POSITIVE_INFINITY }: EventSearch,
): Promise<EventLog[]> {
  const walk = walkBack(network, fromBlock, (client, range) =>
    client.getLogs({
      ...range,
      address: network.config.entryPoint,
      event: userOperationEvent,
      args: filter,
      strict: true,
    }),
  )
  const found: EventLog[] = []
  for await (const { result } of walk) {
    found.push(...result)
    if (found.length >= most) break
  }
  return found
}

/** What the chain's events say of operations whose nonces are used. */
export interface NonceUse {
  /** Inclusions of whatever used the nonces: the operations themselves, or others. */
  readonly included: readonly Inclusion[]
  /** Operations whose nonce went to another one, which the chain names. */
  readonly taken: readonly OperationRow[]
}

/**
 * Who used the nonces of operations, by all events of their accounts. Of an operation that is in neither list nobody
 * knows: a node's logs come later than its state, or a contract raised the nonce by itself.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readNonceUse(network: Network, rows: readonly OperationRow[]): Promise<NonceUse> {
  if (rows.length === 0) return { included: [], taken: [] }
  const events = await readEvents(network, {
    filter: { sender: [...new Set(rows.map(({ account }) => account as Address))] }, // the column holds 0x and 40 digits
    fromBlock:
      BigInt(Math.min(...rows.map(({ signed_at_block }) => signed_at_block ?? 0))) - blocksBeforeSignature,
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

/** With the times of their blocks, each asked once, and why the calls reverted. */
export async function toInclusions(network: Network, logs: readonly EventLog[]): Promise<Inclusion[]> {
  const blocks = new Map<Hash, Promise<Block>>()
  const blockOf = ({ blockHash }: EventLog) => {
    const asked = blocks.get(blockHash) ?? network.call((client) => client.getBlock({ blockHash }))
    blocks.set(blockHash, asked)
    return asked
  }
  return Promise.all(logs.map(async (log) => toInclusion(network, log, await blockOf(log))))
}

async function toInclusion(
  network: Network,
  log: EventLog,
  { timestamp }: Pick<Block, 'timestamp'>,
): Promise<Inclusion> {
  const { userOpHash, success, actualGasCost } = log.args
  return {
    userOpHash,
    txnHash: log.transactionHash,
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    timestamp: new Date(Number(timestamp) * 1000),
    success,
    gasCost: actualGasCost,
    revertReason: success ? undefined : await readRevertReason(network, log),
  }
}

async function readRevertReason(network: Network, log: EventLog): Promise<string> {
  const [reason] = await network.call((client) =>
    client.getLogs({
      address: network.config.entryPoint,
      event: revertReasonEvent,
      args: { userOpHash: log.args.userOpHash },
      blockHash: log.blockHash,
      strict: true,
    }),
  )
  const data: Hex = reason?.args.revertReason ?? '0x'
  // EntryPoint emits no reason when the call ran out of gas or reverted with nothing.
  return data === '0x' ? 'The calls reverted without a reason.' : describeRevert(data)
}
