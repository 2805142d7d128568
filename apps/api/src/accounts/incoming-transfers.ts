import { type Network, walkBlocks } from '@lanyard/networks'
import { type Address, erc20Abi, type Hash } from 'viem'
import { getAbiItem } from 'viem/utils'
import { briefly } from '../briefly.ts'
import type { Services } from '../services.ts'

const transferEvent = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

/** How many blocks back the logs are read. */
const depth = 2_000n
const maxTransfers = 100

export interface NetworkTransfers {
  readonly network: string
  readonly available: boolean
  readonly fromBlock: string | null
  readonly transfers: { txnHash: Hash; blockNumber: string; from: Address; token: Address; amount: string }[]
}

/** Settlement tokens that came in lately, on all networks at once; a network that does not answer is marked. */
export async function readIncomingTransfers(
  { networks, sharedReads }: Pick<Services, 'networks' | 'sharedReads'>,
  account: Address,
): Promise<NetworkTransfers[]> {
  const read = (network: Network) =>
    sharedReads.transfers(`${network.chainId}:${account}`, () => readNetworkTransfers(network, account))
  return Promise.all(
    networks.list().map((network) =>
      briefly(network, read(network)).catch(() => ({
        network: String(network.chainId),
        available: false,
        fromBlock: null,
        transfers: [],
      })),
    ),
  )
}

async function readNetworkTransfers(network: Network, account: Address): Promise<NetworkTransfers> {
  const id = String(network.chainId)
  const token = network.config.settlementToken
  if (!token) return { network: id, available: true, fromBlock: null, transfers: [] }
  const toBlock = await network.call((client) => client.getBlockNumber())
  const fromBlock = toBlock > depth ? toBlock - depth + 1n : 0n
  const walk = walkBlocks(
    network,
    { fromBlock, toBlock },
    (client, range) =>
      client.getLogs({
        ...range,
        address: token.address,
        event: transferEvent,
        args: { to: account },
        strict: true,
      }),
    { newestFirst: true },
  )
  const transfers: NetworkTransfers['transfers'] = []
  for await (const { result } of walk) {
    for (const { transactionHash, blockNumber, args } of result.toReversed()) {
      transfers.push({
        txnHash: transactionHash,
        blockNumber: String(blockNumber),
        from: args.from,
        token: token.address,
        amount: String(args.value),
      })
      if (transfers.length === maxTransfers) break
    }
    if (transfers.length === maxTransfers) break
  }
  return { network: id, available: true, fromBlock: String(fromBlock), transfers }
}
