import { receivedEvent } from '@lanyard/accounts'
import { type BlockRange, entryPointsOf, type Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import {
  type Address,
  erc20Abi,
  formatLog,
  type Hex,
  type Log,
  type PublicClient,
  pad,
  parseEventLogs,
  type RpcLog,
  toEventSelector,
} from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { getAbiItem } from 'viem/utils'

/** Maximum number of accounts in a filter: geth takes up to 1,000 addresses or topics. */
export const accountsOfFilter = 500

/** Requests for a range and a filter's accounts. */
export const requestsOfRange = 3

const transfer = getAbiItem({ abi: erc20Abi, name: 'Transfer' })
const operation = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })
const gasWithdrawn = getAbiItem({ abi: entryPoint07Abi, name: 'Withdrawn' })
const deposited = getAbiItem({ abi: smartBalanceAbi, name: 'Deposited' })
const withdrawn = getAbiItem({ abi: smartBalanceAbi, name: 'Withdrawn' })
const exited = getAbiItem({ abi: smartBalanceAbi, name: 'ExitFinalized' })
const settled = getAbiItem({ abi: smartBalanceAbi, name: 'OrderSettled' })
const claimed = getAbiItem({ abi: smartBalanceAbi, name: 'OrderClaimed' })

/** The account is the first indexed argument of these, and the second one of the others. */
const byFirst = [transfer, gasWithdrawn, deposited, withdrawn, exited]
const bySecond = [transfer, operation, settled, claimed]

const events = [
  ...[transfer, operation, gasWithdrawn, receivedEvent],
  ...[deposited, withdrawn, exited, settled, claimed],
] as const

export type LedgerLog = ReturnType<typeof parseEventLogs<typeof events, true>>[number] &
  Log<bigint, number, false>

/**
 * The logs of everything that moves money of accounts, in chain order: transfers of the settlement token, native coin that a
 * Safe received, the gas of operations, and deposits, withdrawals and debits of the smart balance.
 *
 * An account is a topic of its logs, so three requests are enough for 500 accounts, whatever moved.
 *
 * @param accounts - in lower case; undefined: of all accounts on the chain, for the caller to filter
 */
export async function readLedgerLogs(
  client: PublicClient,
  { fromBlock, toBlock }: BlockRange,
  { config }: Pick<Network, 'config'>,
  accounts: readonly string[] | undefined,
): Promise<LedgerLog[]> {
  const { settlementToken, smartBalance } = config
  const named = accounts as readonly Address[] | undefined // rows hold 0x and 40 digits
  const topics = named ? named.map((account) => pad(account)) : null
  const contracts = [settlementToken?.address, smartBalance, ...entryPointsOf(config)].filter(
    (address) => address !== undefined,
  )
  const read = (address: readonly Address[] | undefined, wanted: readonly (Hex | readonly Hex[] | null)[]) =>
    client.request({
      method: 'eth_getLogs',
      params: [
        {
          ...(address && { address: [...address] }),
          topics: wanted.map((one) => (one === null || typeof one === 'string' ? one : [...one])),
          ...{ fromBlock: `0x${fromBlock.toString(16)}`, toBlock: `0x${toBlock.toString(16)}` },
        },
      ],
    })
  const found = await Promise.all([
    read(contracts, [byFirst.map((event) => toEventSelector(event)), topics]),
    read(contracts, [bySecond.map((event) => toEventSelector(event)), null, topics]),
    read(named, [toEventSelector(receivedEvent)]),
  ])
  return parseEventLogs({ abi: events, logs: distinct(found.flat()), strict: true }).sort(
    (a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex,
  )
}

/** A transfer between two accounts, or from one to itself, is in two answers. */
function distinct(logs: readonly RpcLog[]) {
  const byPosition = new Map(logs.map((log) => [`${log.blockHash}:${log.logIndex}`, log]))
  return [...byPosition.values()].map(
    (log) => formatLog(log) as Log<bigint, number, false>, // blocks of a range are mined
  )
}
