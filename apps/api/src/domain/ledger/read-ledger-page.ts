import type { Call } from '@lanyard/accounts'
import type { Database, LedgerEntry } from '@lanyard/database'
import type { BlockRange, Network } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import type { Hash, PublicClient } from 'viem'
import { toAnyWallet } from '../accounts/accounts/wallet.ts'
import { callsOf } from '../operations/track/operation-history.ts'
import { accountsOfFilter, type LedgerLog, readLedgerLogs } from './read-ledger-logs.ts'
import { toLedgerEntries } from './to-ledger-entries.ts'

/** Filters whose logs are requested at once. */
const filtersAtOnce = 4

/** The logs of some blocks. Each is in the logs of some of the accounts, or of others if `isNamed` is false. */
export async function readLogsOf(
  client: PublicClient,
  range: BlockRange,
  network: Network,
  { accounts, isNamed }: { readonly accounts: readonly string[]; readonly isNamed: boolean },
): Promise<readonly LedgerLog[]> {
  if (accounts.length === 0) return []
  if (!isNamed) return readLedgerLogs(client, range, network, undefined)
  const found = new Map<string, LedgerLog>()
  const filters = Array.from({ length: Math.ceil(accounts.length / accountsOfFilter) }, (_, index) =>
    accounts.slice(index * accountsOfFilter, (index + 1) * accountsOfFilter),
  )
  for (let start = 0; start < filters.length; start += filtersAtOnce) {
    const pages = await Promise.all(
      filters
        .slice(start, start + filtersAtOnce)
        .map((filter) => readLedgerLogs(client, range, network, filter)),
    )
    // A transfer between accounts of two filters is in the logs of both.
    for (const log of pages.flat()) found.set(`${log.blockNumber}:${log.logIndex}`, log)
  }
  return [...found.values()].sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
}

/** The entries of some accounts that logs mean, with the times of their blocks and the calls of this service's operations. */
export async function toEntriesOf(
  { database, network }: { readonly database: Kysely<Database>; readonly network: Network },
  logs: readonly LedgerLog[],
  isMeant: (account: string) => boolean,
): Promise<LedgerEntry[]> {
  const { config } = network
  const timeless = { config, timeOf: () => new Date(0), callsOf: () => [] }
  const concerns = (log: LedgerLog) =>
    toLedgerEntries([log], timeless).some(({ account }) => isMeant(account))
  const positions = new Set(logs.filter(concerns).map(({ transactionHash }) => transactionHash))
  // Logs of one transaction explain each other.
  const meant = logs.filter(({ transactionHash }) => positions.has(transactionHash))
  if (meant.length === 0) return []
  const [times, calls] = await Promise.all([readTimes(network, meant), readCalls(database, meant)])
  return toLedgerEntries(meant, {
    config,
    timeOf: ({ blockNumber }) => new Date(Number(times.get(blockNumber) ?? 0n) * 1_000),
    callsOf: (userOpHash) => calls.get(userOpHash.toLowerCase()) ?? [],
  }).filter(({ account }) => isMeant(account))
}

/** The times of blocks, in seconds. Each is read once, and only if its logs have none. */
export async function readTimes(
  network: Pick<Network, 'call'>,
  logs: readonly Pick<LedgerLog, 'blockNumber' | 'blockTimestamp'>[],
): Promise<ReadonlyMap<bigint, bigint>> {
  const times = new Map(
    logs.flatMap(({ blockNumber, blockTimestamp }) =>
      blockTimestamp == null ? [] : [[blockNumber, blockTimestamp] as const],
    ),
  )
  const unknown = [...new Set(logs.map(({ blockNumber }) => blockNumber))].filter(
    (block) => !times.has(block),
  )
  for (let start = 0; start < unknown.length; start += blocksAtOnce) {
    const blocks = await network.call((client) =>
      Promise.all(
        unknown.slice(start, start + blocksAtOnce).map((blockNumber) => client.getBlock({ blockNumber })),
      ),
    )
    for (const { number, timestamp } of blocks) times.set(number, timestamp)
  }
  return times
}

const blocksAtOnce = 50

/** The calls of this service's operations: native coin that an account sends leaves no log. */
async function readCalls(
  database: Kysely<Database>,
  logs: readonly LedgerLog[],
): Promise<ReadonlyMap<string, readonly Call[]>> {
  const hashes = logs.flatMap((log) =>
    log.eventName === 'UserOperationEvent' && log.args.success ? [log.args.userOpHash.toLowerCase()] : [],
  )
  if (hashes.length === 0) return new Map()
  const rows = await database
    .selectFrom('every_operation')
    .selectAll()
    .where('user_op_hash', '=', sql<Hash>`any(${hashes}::text[])`)
    .where('value', '>', 0n)
    .execute()
  const accounts = await database
    .selectFrom('accounts')
    .selectAll()
    .where('address', '=', sql<string>`any(${rows.map(({ account }) => account)}::text[])`)
    .execute()
  const wallets = new Map(accounts.map((account) => [account.address, toAnyWallet(account)]))
  return new Map(
    rows.map((row) => {
      const wallet = wallets.get(row.account)
      return [row.user_op_hash.toLowerCase(), wallet ? callsOf(row, wallet) : []]
    }),
  )
}
