import { decodeRevert } from '@lanyard/bundler'
import type { Network } from '@lanyard/networks'
import type { Hash, Hex, Log } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { getAbiItem } from 'viem/utils'

const userOperationEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })
const revertReasonEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationRevertReason' })

/** Providers bound the range of eth_getLogs; 2,000 blocks is what the strictest of the common ones take. */
const longestRange = 2_000n
const mostHashes = 200

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
  /** No event can be in an earlier block. */
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
  for (let start = 0; start < hashes.length; start += mostHashes) {
    found.push(...(await readSome(network, { hashes: hashes.slice(start, start + mostHashes), fromBlock })))
  }
  return found
}

async function readSome(network: Network, { hashes, fromBlock }: Search): Promise<Inclusion[]> {
  const head = await network.call((client) => client.getBlockNumber())
  const found: Inclusion[] = []
  for (let to = head; to >= fromBlock && found.length < hashes.length; to -= longestRange) {
    const from = to - longestRange + 1n > fromBlock ? to - longestRange + 1n : fromBlock
    const logs = await network.call((client) =>
      client.getLogs({
        address: network.config.entryPoint,
        event: userOperationEvent,
        args: { userOpHash: [...hashes] },
        fromBlock: from,
        toBlock: to === head ? 'latest' : to,
        strict: true,
      }),
    )
    found.push(...(await Promise.all(logs.map((log) => toInclusion(network, log)))))
  }
  return found
}

type EventLog = Log<bigint, number, false, typeof userOperationEvent, true>

async function toInclusion(network: Network, log: EventLog): Promise<Inclusion> {
  const { userOpHash, success, actualGasCost } = log.args
  const [block, revertReason] = await Promise.all([
    network.call((client) => client.getBlock({ blockHash: log.blockHash })),
    success ? undefined : readRevertReason(network, log),
  ])
  return {
    userOpHash,
    txnHash: log.transactionHash,
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    timestamp: new Date(Number(block.timestamp) * 1000),
    success,
    gasCost: actualGasCost,
    revertReason,
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
  return data === '0x' ? 'The calls reverted without a reason.' : decodeRevert(data).reason
}
