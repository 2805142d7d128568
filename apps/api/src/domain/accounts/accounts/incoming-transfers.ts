import { receivedEvent } from '@lanyard/accounts'
import { type Network, type Networks, walkRecent } from '@lanyard/networks'
import { type Address, erc20Abi, type Hash, type Log, type PublicClient } from 'viem'
import { getAbiItem } from 'viem/utils'
import { recentBlocks } from '../../../platform/recent-blocks.ts'
import type { Shared } from '../../../platform/shared-reads.ts'
import { withReadTimeout } from '../../../platform/timeouts.ts'

const transferEvent = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

const maxTransfers = 100

export interface NetworkTransfers {
  readonly network: string
  readonly available: boolean
  readonly fromBlock: string | null
  readonly transfers: {
    txnHash: Hash
    blockNumber: string
    at: string
    from: Address
    token: Address | null
    amount: string
  }[]
}

/**
 * Reads recent incoming transfers on all networks in parallel. A network that does not answer is marked as
 * down.
 */
export async function readIncomingTransfers(
  {
    networks,
    sharedReads,
  }: { readonly networks: Networks; readonly sharedReads: { readonly transfers: Shared<NetworkTransfers> } },
  account: Address,
): Promise<NetworkTransfers[]> {
  const read = (network: Network) =>
    sharedReads.transfers(`${network.chainId}:${account}`, () => readNetworkTransfers(network, account))
  return Promise.all(
    networks.list().map((network) =>
      withReadTimeout(network, read(network)).catch(() => ({
        network: String(network.chainId),
        available: false,
        fromBlock: null,
        transfers: [],
      })),
    ),
  )
}

async function readNetworkTransfers(network: Network, account: Address): Promise<NetworkTransfers> {
  const logsOfPage = network.config.settlementToken ? 2 : 1
  const walk = walkRecent(network, { ...recentBlocks, logsOfPage }, async (client, range) =>
    (await readReceipts(client, range, network, account)).sort(byPosition),
  )
  const receipts: Receipt[] = []
  let fromBlock: bigint | undefined
  for await (const page of walk) {
    receipts.push(...page.result.toReversed())
    fromBlock = page.fromBlock
    if (receipts.length >= maxTransfers) break
  }
  const transfers = await withTimes(network, receipts.slice(0, maxTransfers))
  return { network: String(network.chainId), available: true, fromBlock: String(fromBlock ?? 0n), transfers }
}

/** One log that records an incoming transfer. */
interface Receipt {
  readonly txnHash: Hash
  readonly blockNumber: bigint
  readonly logIndex: number
  /** Seconds. Only some nodes include it in logs. */
  readonly blockTimestamp: bigint | null | undefined
  readonly from: Address
  readonly token: Address | null
  readonly amount: bigint
}

const byPosition = (a: Receipt, b: Receipt) =>
  a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1

async function readReceipts(
  client: PublicClient,
  range: { readonly fromBlock: bigint; readonly toBlock: bigint },
  network: Network,
  account: Address,
): Promise<Receipt[]> {
  const token = network.config.settlementToken?.address
  const [native, tokens] = await Promise.all([
    client.getLogs({ ...range, address: account, event: receivedEvent, strict: true }),
    token
      ? client.getLogs({
          ...range,
          address: token,
          event: transferEvent,
          args: { to: account },
          strict: true,
        })
      : [],
  ])
  return [
    ...native.map(({ args, ...log }) => ({
      ...toReceipt(log),
      from: args.sender,
      token: null,
      amount: args.value,
    })),
    ...tokens.map(({ args, address, ...log }) => ({
      ...toReceipt(log),
      from: args.from,
      token: address,
      amount: args.value,
    })),
  ]
}

const toReceipt = (
  log: Pick<Log<bigint, number, false>, 'transactionHash' | 'blockNumber' | 'logIndex' | 'blockTimestamp'>,
) => ({
  txnHash: log.transactionHash,
  blockNumber: log.blockNumber,
  logIndex: log.logIndex,
  blockTimestamp: log.blockTimestamp,
})

/** Adds the block time. Each block is read once, and only if its logs have no timestamp. */
async function withTimes(
  network: Network,
  receipts: readonly Receipt[],
): Promise<NetworkTransfers['transfers']> {
  const times = new Map(
    receipts.flatMap(({ blockNumber, blockTimestamp }) =>
      blockTimestamp == null ? [] : [[blockNumber, blockTimestamp] as const],
    ),
  )
  const unknown = [...new Set(receipts.map(({ blockNumber }) => blockNumber))].filter(
    (block) => !times.has(block),
  )
  const blocks = await network.call((client) =>
    Promise.all(unknown.map((blockNumber) => client.getBlock({ blockNumber }))),
  )
  for (const { number, timestamp } of blocks) times.set(number, timestamp)
  return receipts.map(({ txnHash, blockNumber, from, token, amount }) => ({
    txnHash,
    blockNumber: String(blockNumber),
    at: new Date(Number(times.get(blockNumber) ?? 0n) * 1_000).toISOString(),
    from,
    token,
    amount: String(amount),
  }))
}
