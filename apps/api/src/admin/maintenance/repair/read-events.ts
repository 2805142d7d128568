import { type BlockRange, entryPointsOf } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, getAddress, type Hash, type PublicClient, parseAbi, parseEventLogs } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { getAbiItem } from 'viem/utils'
import type { EventLog } from '../../../domain/operations/track/inclusion.ts'
import { chunksOf, type RepairContext } from './context.ts'

const userOperationEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })

/** Changes of a Safe's owners and modules. */
const safeEvents = parseAbi([
  'event AddedOwner(address indexed owner)',
  'event RemovedOwner(address indexed owner)',
  'event ChangedThreshold(uint256 threshold)',
  'event EnabledModule(address indexed module)',
  'event DisabledModule(address indexed module)',
])

/** The outcome of an order, on its output network. */
export interface OutcomeLog {
  readonly account: string
  readonly orderHash: Hash
  readonly outcome: 'claimed' | 'failed'
  readonly txnHash: Hash
  readonly blockNumber: bigint
  readonly blockHash: Hash
}

/** Events of known accounts in a range of blocks. Accounts in lower case. */
export interface AccountEvents {
  readonly operations: readonly EventLog[]
  readonly outcomes: readonly OutcomeLog[]
  /** Accounts whose deposit, exit or pins changed in SmartBalance. */
  readonly balances: ReadonlySet<string>
  /** Accounts whose owners, modules or threshold changed. */
  readonly safes: ReadonlySet<string>
}

/** Reads the events: two requests for every 200 accounts, and one for SmartBalance. */
export async function readAccountEvents(
  client: PublicClient,
  { network, accounts }: RepairContext,
  range: BlockRange,
): Promise<AccountEvents> {
  const known = new Set(accounts)
  const chunks = chunksOf(accounts.map((account) => getAddress(account)))
  const [operations, safes, balance] = await Promise.all([
    Promise.all(
      chunks.map((sender) =>
        client.getLogs({
          ...range,
          address: [...entryPointsOf(network.config)],
          event: userOperationEvent,
          args: { sender },
          strict: true,
        }),
      ),
    ),
    Promise.all(chunks.map((address) => client.getLogs({ ...range, address, events: safeEvents }))),
    readBalanceEvents(client, network.config.smartBalance, known, range),
  ])
  return {
    operations: operations.flat(),
    safes: new Set(safes.flat().map(({ address }) => address.toLowerCase())),
    ...balance,
  }
}

async function readBalanceEvents(
  client: PublicClient,
  address: Address | undefined,
  known: ReadonlySet<string>,
  range: BlockRange,
): Promise<Pick<AccountEvents, 'outcomes' | 'balances'>> {
  const outcomes: OutcomeLog[] = []
  const balances = new Set<string>()
  if (!address) return { outcomes, balances }
  const logs = parseEventLogs({
    abi: smartBalanceAbi,
    logs: await client.getLogs({ ...range, address }),
    strict: true,
  })
  for (const { eventName, args, transactionHash: txnHash, blockNumber, blockHash } of logs) {
    if (!('account' in args)) continue
    const account = args.account.toLowerCase()
    if (!known.has(account)) continue
    balances.add(account)
    if (eventName === 'OrderClaimed' || eventName === 'OrderFailed') {
      const outcome = eventName === 'OrderClaimed' ? 'claimed' : 'failed'
      outcomes.push({ account, orderHash: args.orderHash, outcome, txnHash, blockNumber, blockHash })
    }
  }
  return { outcomes, balances }
}
