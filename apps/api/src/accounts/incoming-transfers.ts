import type { Network, Networks } from '@lanyard/networks'
import { type Address, erc20Abi, type Hash } from 'viem'
import { getAbiItem } from 'viem/utils'
import { briefly } from '../briefly.ts'

const transferEvent = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

/** How far back the logs are read: what the strictest of the common providers allow in one request. */
const longestRange = 2_000n
const mostTransfers = 100

export interface NetworkTransfers {
  readonly network: string
  readonly available: boolean
  readonly fromBlock: string | null
  readonly transfers: { txnHash: Hash; blockNumber: string; from: Address; token: Address; amount: string }[]
}

/** Settlement tokens that came in lately, on all networks at once; a network that does not answer is marked. */
export async function readIncomingTransfers(
  networks: Networks,
  account: Address,
): Promise<NetworkTransfers[]> {
  return Promise.all(
    networks.list().map((network) =>
      briefly(network, readNetworkTransfers(network, account)).catch(() => ({
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
  return network.call(async (client) => {
    const head = await client.getBlockNumber()
    const fromBlock = head > longestRange ? head - longestRange + 1n : 0n
    const logs = await client.getLogs({
      address: token.address,
      event: transferEvent,
      args: { to: account },
      fromBlock,
      toBlock: head,
      strict: true,
    })
    const transfers = logs
      .toReversed()
      .slice(0, mostTransfers)
      .map(({ transactionHash, blockNumber, args }) => ({
        txnHash: transactionHash,
        blockNumber: String(blockNumber),
        from: args.from,
        token: token.address,
        amount: String(args.value),
      }))
    return { network: id, available: true, fromBlock: String(fromBlock), transfers }
  })
}
