import type { OrderRow } from '@lanyard/database'
import { type AgreedBlock, type Network, walkBlocks } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Outcome, readOrderRecord } from '@lanyard/smart-balance'
import type { Address, Hash } from 'viem'
import { getAbiItem, toEventSelector } from 'viem/utils'
import { toNonce } from '../../operations/nonces.ts'
import { multicallAtBlock, readOf } from '../ledger/multicall-at-block.ts'
import type { BalanceNetwork } from './dependencies.ts'

const claimedEvent = getAbiItem({ abi: smartBalanceAbi, name: 'OrderClaimed' })
const failedEvent = getAbiItem({ abi: smartBalanceAbi, name: 'OrderFailed' })

const outcomeTopics = { claimed: toEventSelector(claimedEvent), failed: toEventSelector(failedEvent) }

/**
 * Maximum difference between a chain's clock and the service's clock, in seconds. It only limits a search.
 */
const widestSkew = 86_400n

/** The event with which the chain records the outcome of an order. */
export interface OutcomeEvent {
  readonly orderHash: Hash
  readonly outcome: Outcome
  readonly txnHash: Hash
  readonly blockNumber: bigint
  readonly blockHash: Hash
}

/** The key under which SmartBalance stores the outcome of an order. */
export interface OrderPlace {
  readonly orderHash: Hash
  readonly account: Address
  readonly nonce: bigint
}

/** Every operation that the operator signs for an order has the order's nonce. */
export const placeOf = (
  order: Pick<OrderRow, 'account' | 'nonce_key' | 'nonce_sequence'>,
  orderHash: string,
): OrderPlace => ({
  orderHash: orderHash as Hash, // both columns hold hex
  account: order.account as Address,
  nonce: toNonce({ key: order.nonce_key, sequence: order.nonce_sequence }),
})

/**
 * Reads the outcomes of orders from SmartBalance on their output network, at a block. Orders without an outcome
 * are left out. Two RPCs must confirm it, since an outcome decides whether deposits are debited or released.
 *
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readOutcomes(
  { network, contract }: BalanceNetwork,
  orders: readonly OrderPlace[],
  block: AgreedBlock,
): Promise<ReadonlyMap<Hash, Outcome>> {
  if (orders.length === 0) return new Map()
  const [results] = await multicallAtBlock(network, block, [
    orders.map(({ account, nonce }) =>
      readOf(contract, 'settled', [account, BigInt(network.chainId), nonce]),
    ),
  ])
  const found = new Map<Hash, Outcome>()
  orders.forEach(({ orderHash }, index) => {
    const result = results[index]
    const outcome = result && readOrderRecord(result, orderHash).outcome
    // An unfunded order owes nothing: it expires like one that was never included.
    if (outcome !== undefined && outcome !== 'unfunded') found.set(orderHash, outcome)
  })
  return found
}

interface Search {
  /** The last block of the search. */
  readonly toBlock: bigint
  /** No event is older than this, if the clocks agree. */
  readonly since: Date
}

/**
 * Finds the events of outcomes: `OrderClaimed` and `OrderFailed`, which only the output network emits. The
 * newest blocks are read first, and the search ends when everything is found. If the first RPC omits an event,
 * the others are searched. Two RPCs must confirm each event that is found.
 *
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function findOutcomeEvents(
  on: BalanceNetwork,
  hashes: readonly Hash[],
  search: Search,
): Promise<OutcomeEvent[]> {
  const [, ...others] = on.network.quorum.witnesses
  const found = new Map<Hash, OutcomeEvent>()
  for (const source of [on.network, ...others]) {
    const missing = hashes.filter((hash) => !found.has(hash))
    if (missing.length === 0) break
    for (const event of await searchEvents(on, source, missing, search)) found.set(event.orderHash, event)
  }
  return confirmEvents(on, [...found.values()])
}

/** The events that the origins have in the same block. */
async function confirmEvents(
  { network, contract }: BalanceNetwork,
  events: readonly OutcomeEvent[],
): Promise<OutcomeEvent[]> {
  const confirmed: OutcomeEvent[] = []
  for (const [hash, ofBlock] of Map.groupBy(events, ({ blockHash }) => blockHash)) {
    const logs = await network.quorum.logs(
      { hash },
      {
        address: contract.address,
        topics: [Object.values(outcomeTopics), ofBlock.map(({ orderHash }) => orderHash)],
      },
    )
    confirmed.push(
      ...ofBlock.filter(({ orderHash, outcome, txnHash }) =>
        logs.some(
          ({ topics: [event, order], transactionHash }) =>
            event === outcomeTopics[outcome] && order === orderHash && transactionHash === txnHash,
        ),
      ),
    )
  }
  return confirmed
}

async function searchEvents(
  { network: { config }, contract }: BalanceNetwork,
  source: Pick<Network, 'call'>,
  hashes: readonly Hash[],
  { toBlock, since }: Search,
): Promise<OutcomeEvent[]> {
  const oldest = BigInt(Math.floor(since.getTime() / 1000)) - widestSkew
  const walk = walkBlocks(
    { call: source.call, config },
    { fromBlock: 0n, toBlock },
    (client, range) => {
      const filter = {
        ...range,
        address: contract.address,
        args: { orderHash: [...hashes] },
        strict: true,
      } as const
      return Promise.all([
        client.getLogs({ ...filter, event: claimedEvent }),
        client.getLogs({ ...filter, event: failedEvent }),
        client.getBlock({ blockNumber: range.fromBlock }),
      ])
    },
    { newestFirst: true },
  )
  const found: OutcomeEvent[] = []
  for await (const { result } of walk) {
    const [claimed, failed, first] = result
    found.push(
      ...claimed.map((log) => toOutcomeEvent(log, 'claimed')),
      ...failed.map((log) => toOutcomeEvent(log, 'failed')),
    )
    if (found.length >= hashes.length || first.timestamp < oldest) break
  }
  return found
}

interface MinedLog {
  readonly args: { readonly orderHash: Hash }
  readonly transactionHash: Hash
  readonly blockNumber: bigint
  readonly blockHash: Hash
}

const toOutcomeEvent = (log: MinedLog, outcome: Outcome): OutcomeEvent => ({
  orderHash: log.args.orderHash,
  outcome,
  txnHash: log.transactionHash,
  blockNumber: log.blockNumber,
  blockHash: log.blockHash,
})
