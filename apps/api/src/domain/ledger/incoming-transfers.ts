import { receivedEvent } from '@lanyard/accounts'
import { type AccountLedger, type Database, readAccountLedgers, readReceived } from '@lanyard/database'
import { type BlockRange, type Network, type Networks, walkRecent } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, erc20Abi, getAddress, type Hash, type Log, type PublicClient } from 'viem'
import { getAbiItem } from 'viem/utils'
import { recentBlocks } from '../../platform/recent-blocks.ts'
import type { Shared } from '../../platform/shared-reads.ts'
import { withReadTimeout } from '../../platform/timeouts.ts'
import { readTimes } from './read-ledger-page.ts'

const transferEvent = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

const maxTransfers = 100

export interface NetworkTransfers {
  readonly network: string
  readonly available: boolean
  readonly fromBlock: string | null
  readonly unread: { readonly fromBlock: string; readonly toBlock: string } | null
  readonly transfers: {
    txnHash: Hash
    blockNumber: string
    at: string
    from: Address
    token: Address | null
    amount: string
    pending: boolean
  }[]
}

interface Dependencies {
  readonly database: Kysely<Database>
  readonly networks: Networks
  readonly sharedReads: { readonly transfers: Shared<NetworkTransfers> }
}

/**
 * Reads incoming transfers on all networks in parallel: what is final from the ledger, and the newest blocks from the network,
 * within a budget of requests. A network that does not answer is marked as down, with what the ledger knows.
 */
export async function readIncomingTransfers(
  { database, networks, sharedReads }: Dependencies,
  account: Address,
): Promise<NetworkTransfers[]> {
  const ledgers = await readAccountLedgers(database, account)
  return Promise.all(
    networks.list().map(async (network) => {
      const ledger = ledgers.find(({ network: chainId }) => chainId === network.chainId)
      const read = () => readNetworkTransfers(database, network, { account, ledger })
      try {
        return await withReadTimeout(network, sharedReads.transfers(`${network.chainId}:${account}`, read))
      } catch {
        const known = ledger ? await readFinal(database, network, account) : []
        return {
          ...{ network: String(network.chainId), available: false, unread: null },
          fromBlock: ledger ? String(ledger.complete_from) : null,
          transfers: known.map(toTransfer),
        }
      }
    }),
  )
}

async function readNetworkTransfers(
  database: Kysely<Database>,
  network: Network,
  { account, ledger }: { readonly account: Address; readonly ledger: AccountLedger | undefined },
): Promise<NetworkTransfers> {
  const next = ledger ? BigInt(ledger.complete_to) + 1n : 0n
  const logsOfPage = network.config.settlementToken ? 2 : 1
  const walk = walkRecent(network, { ...recentBlocks, logsOfPage, fromBlock: next }, async (client, range) =>
    (await readReceipts(client, range, network, account)).sort(byPosition),
  )
  const receipts: Receipt[] = []
  let readFrom: bigint | undefined
  for await (const page of walk) {
    receipts.push(...page.result.toReversed())
    readFrom = page.fromBlock
    if (receipts.length >= maxTransfers) break
  }
  const newest = receipts.slice(0, maxTransfers)
  const [times, known] = await Promise.all([
    readTimes(network, newest),
    ledger && newest.length < maxTransfers ? readFinal(database, network, account) : [],
  ])
  const transfers = [
    ...newest.map((receipt) => ({
      ...receipt,
      at: new Date(Number(times.get(receipt.blockNumber) ?? 0n) * 1_000),
      pending: true,
    })),
    // The ledger may have come further meanwhile.
    ...known.filter(({ blockNumber }) => blockNumber < next),
  ]
  // Without a page there is no block after those of the ledger.
  const isWhole = readFrom === undefined || readFrom <= next
  return {
    ...{ network: String(network.chainId), available: true },
    fromBlock: String(ledger ? ledger.complete_from : (readFrom ?? 0n)),
    unread: ledger && !isWhole ? { fromBlock: String(next), toBlock: String((readFrom ?? 0n) - 1n) } : null,
    transfers: transfers.slice(0, maxTransfers).map(toTransfer),
  }
}

interface Transfer extends Pick<Receipt, 'txnHash' | 'blockNumber' | 'from' | 'token' | 'amount'> {
  readonly at: Date
  /** Whether the block may still be removed. */
  readonly pending: boolean
}

const toTransfer = ({ txnHash, blockNumber, at, from, token, amount, pending }: Transfer) => ({
  ...{ txnHash, from, token, pending },
  ...{ blockNumber: String(blockNumber), at: at.toISOString(), amount: String(amount) },
})

/** What the ledger knows, newest first. */
async function readFinal(
  database: Kysely<Database>,
  { chainId }: Network,
  account: Address,
): Promise<Transfer[]> {
  const rows = await readReceived(database, { account, network: chainId, limit: maxTransfers })
  return rows.map(({ at, block_number, asset, amount, counterparty, txn_hash }) => ({
    ...{ at, amount, pending: false, blockNumber: BigInt(block_number) },
    txnHash: txn_hash as Hash, // the query names rows with 0x and 64 digits
    from: getAddress(counterparty ?? account),
    token: asset === 'native' ? null : getAddress(asset),
  }))
}

/** One log that records an incoming transfer. */
interface Receipt {
  readonly txnHash: Hash
  readonly blockNumber: bigint
  readonly logIndex: number
  /** Seconds. Only some nodes include it in logs. */
  readonly blockTimestamp: bigint | undefined
  readonly from: Address
  readonly token: Address | null
  readonly amount: bigint
}

const byPosition = (a: Receipt, b: Receipt) =>
  a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1

async function readReceipts(
  client: PublicClient,
  range: BlockRange,
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
  ].filter(({ amount }) => amount > 0n)
}

const toReceipt = ({
  transactionHash,
  blockNumber,
  logIndex,
  blockTimestamp,
}: Pick<Log<bigint, number, false>, 'transactionHash' | 'blockNumber' | 'logIndex' | 'blockTimestamp'>) => ({
  txnHash: transactionHash,
  ...{ blockNumber, logIndex, blockTimestamp },
})
