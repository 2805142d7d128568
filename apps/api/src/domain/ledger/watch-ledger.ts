import {
  admitToLedger,
  type Database,
  findBehind,
  findLedgerAccounts,
  findUnreconciled,
  type LedgerCandidate,
  listCandidates,
  readLedgerNetwork,
  reconcileLedger,
  recordEarlierPage,
  recordLedgerPage,
  scheduleLedger,
  startLedger,
} from '@lanyard/database'
import { countRequests, type Network, walkBlocks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { createSweep } from '../../platform/sweep.ts'
import { findBlockBefore, readBlockTime, type TimedBlock } from './find-block-before.ts'
import { readLedgerBalances } from './read-balances.ts'
import { accountsOfFilter, requestsOfRange } from './read-ledger-logs.ts'
import { readLogsOf, toEntriesOf } from './read-ledger-page.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Milliseconds until balances that a node did not tell are asked for again. */
const unknownFor = 60 * minute

/** Milliseconds after which a pass that failed is repeated, and between passes while something is left. */
const retryAfter = 10_000

/** Accounts that one look considers, and those that begin a ledger in one pass. */
const candidatesOfLook = 500

/** Hours in which new accounts were created, whose first blocks one pass searches for. */
const maxSearches = 20

/** Requests for earlier blocks in one pass: accounts that are far behind do not crowd out what callers wait for. */
const earlierRequests = 64

/** Accounts whose balances one `eth_call` reads, and such calls of a pass. */
const accountsOfCall = 100
const callsOfPass = 3

/** Milliseconds before the row of an account was written in which it may have received something: its address was known. */
const beforeCreation = 10 * minute

/** Requests a day that filters by account may need. Beyond, the logs of all accounts of the chain are read. */
const maxDailyRequests = 100_000

interface Dependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
}

export interface LedgerWatch {
  hasWork(): Promise<boolean>
  /**
   * Reads the final blocks since the last pass for all accounts, some earlier blocks for accounts that are new here, and compares
   * balances with entries.
   *
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED; the next pass reads the same blocks again
   */
  pass(): Promise<void>
}

/** Milliseconds between passes: more accounts need more requests for the same blocks, so blocks are read together. */
const pauseFor = ({ config }: Pick<Network, 'config'>, accounts: number): number =>
  config.local ? 15_000 : minute * Math.min(10, Math.max(1, Math.ceil(accounts / accountsOfFilter)))

/**
 * Whether logs are requested by account. A provider that accepts few blocks at once makes that expensive for many accounts: one
 * request for all logs is then less, though it answers with the transfers of other accounts too.
 *
 * @param blocksOfRequest - how many blocks the provider accepts in one `eth_getLogs`
 */
export function readsByAccount(
  network: Pick<Network, 'config'>,
  { accounts, blocksOfRequest }: { readonly accounts: number; readonly blocksOfRequest: number },
): boolean {
  const passes = day / pauseFor(network, accounts)
  const ranges = day / network.config.blockTime / blocksOfRequest
  const filters = Math.ceil(accounts / accountsOfFilter)
  return filters <= 1 || filters * requestsOfRange * Math.max(passes, ranges) <= maxDailyRequests
}

/** Keeps the ledger of a network's accounts, from final blocks only. */
export function watchLedger({ database, now, log }: Dependencies, network: Network): LedgerWatch {
  const { chainId } = network
  const candidates = createSweep<LedgerCandidate>(candidatesOfLook, (after, limit) =>
    listCandidates(database, chainId, { after: after?.address, limit }),
  )
  let due: LedgerCandidate[] = []
  let turn = 0
  /** Accounts that were read together the last time. */
  let together = 0

  const blocksOfRequest = () => Math.min(...network.limits.map(({ accepted }) => accepted.logRange))

  /** Starts the ledgers of new accounts at the blocks of their creation. */
  async function admit(final: TimedBlock): Promise<void> {
    const hours = Map.groupBy(due, ({ created_at }) => Math.floor(created_at.getTime() / (60 * minute)))
    // The next look finds those that are left.
    due = []
    // The newest first: a provider may not have the blocks of the oldest.
    const newest = [...hours].toSorted(([a], [b]) => b - a).slice(0, maxSearches)
    for (const [, created] of newest) {
      const oldest = Math.min(...created.map(({ created_at }) => created_at.getTime()))
      const start = await findBlockBefore(network, new Date(oldest - beforeCreation), final)
      const accounts = created.map(({ address }) => address)
      for (let index = 0; index < accounts.length; index += accountsOfCall) {
        const some = accounts.slice(index, index + accountsOfCall)
        // Nodes without old states do not know: the first comparison then shows what the accounts had.
        const balances = await readLedgerBalances(network, some, start.block).catch(() => new Map())
        await admitToLedger(
          database,
          chainId,
          some.map((account) => ({
            ...{ account, completeFrom: start.block + 1n, completeAt: start.at },
            ...{ balances: balances.get(account), now: now() },
          })),
        )
      }
    }
  }

  /** Reads new final blocks for all accounts together. */
  async function readNew(final: TimedBlock): Promise<void> {
    const head = await readLedgerNetwork(database, chainId)
    if (!head || BigInt(head.block_number) >= final.block) return
    // Whatever else a pass is for: more accounts need more requests for the same blocks.
    const isEarly = final.at.getTime() - head.block_at.getTime() < pauseFor(network, together) / 2
    if (isEarly && !network.config.local) return
    const live = await findLedgerAccounts(database, chainId)
    if (!live || live.block >= final.block) return
    const { accounts, joins } = live
    together = accounts.length
    const known = new Set(accounts)
    const isNamed = readsByAccount(network, {
      accounts: accounts.length,
      blocksOfRequest: blocksOfRequest(),
    })
    const range = { fromBlock: live.block + 1n, toBlock: final.block }
    const record = (page: typeof range, entries: Awaited<ReturnType<typeof toEntriesOf>>, at: Date) =>
      recordLedgerPage(database, chainId, { ...page, at, entries, joins, now: now() })
    if (accounts.length === 0) {
      await record(range, [], final.at)
      return
    }
    const pages = walkBlocks(network, range, (client, part) =>
      // The block is asked for too, since a node that does not have it yet answers with no logs.
      Promise.all([
        readLogsOf(client, part, network, { accounts, isNamed }),
        client.getBlock({ blockNumber: part.toBlock }),
      ]),
    )
    for await (const { result, ...page } of pages) {
      const [logs, { timestamp }] = result
      const entries = await toEntriesOf({ database, network }, logs, (account) => known.has(account))
      if (!(await record(page, entries, new Date(Number(timestamp) * 1_000)))) return
    }
  }

  /** Accounts that are behind and about equally far, with how far each was read. */
  async function chooseBehind(): Promise<ReadonlyMap<string, number>> {
    const behind = await findBehind(database, chainId, {
      // By turns, so that neither waits for the other: the first may need days, and the last a second.
      order: turn % 2 === 0 ? 'nearest' : 'furthest',
      limit: accountsOfFilter,
    })
    const reach = (behind[0]?.read_to ?? 0) - network.config.rpcLogRange
    const chosen = turn % 2 === 0 ? behind.filter(({ read_to }) => read_to >= reach) : behind
    return new Map(chosen.map(({ account, read_to }) => [account, read_to]))
  }

  /** Reads some earlier blocks for accounts that are behind. @returns whether some are left */
  async function readEarlier(final: TimedBlock): Promise<boolean> {
    turn++
    let requests = 0
    const count = () => {
      requests++
    }
    return countRequests(count, async () => {
      while (requests < earlierRequests) {
        const readTo = new Map(await chooseBehind())
        if (readTo.size === 0) return false
        const accounts = [...readTo.keys()]
        const fromBlock = BigInt(Math.min(...readTo.values())) + 1n
        if (fromBlock > final.block) {
          // Nothing is earlier.
          const page = { fromBlock, toBlock: fromBlock - 1n, accounts, entries: [], now: now() }
          await recordEarlierPage(database, chainId, page)
          return true
        }
        const range = { fromBlock, toBlock: final.block }
        const pages = walkBlocks(network, range, (client, part) =>
          Promise.all([
            readLogsOf(client, part, network, { accounts, isNamed: true }),
            client.getBlock({ blockNumber: part.toBlock }),
          ]),
        )
        for await (const { result, ...page } of pages) {
          const [logs] = result
          const entries = await toEntriesOf({ database, network }, logs, (account) => readTo.has(account))
          await recordEarlierPage(database, chainId, {
            ...{ ...page, accounts, now: now() },
            // What was before is part of the opening balance.
            entries: entries.filter(({ account, blockNumber }) => blockNumber > (readTo.get(account) ?? 0)),
          })
          for (const [account, block] of readTo) readTo.set(account, Math.max(block, Number(page.toBlock)))
          if (requests >= earlierRequests) break
        }
      }
      return true
    })
  }

  /** Compares balances with entries. @returns whether some are left */
  async function reconcile(): Promise<boolean> {
    const head = await readLedgerNetwork(database, chainId)
    if (!head) return false
    const block = BigInt(head.block_number)
    for (let calls = 0; calls < callsOfPass; calls++) {
      const began = now()
      const some = await findUnreconciled(database, chainId, { block, now: began, limit: accountsOfCall })
      if (some.length === 0) return false
      const accounts = some.map(({ account }) => account)
      const balances = await readLedgerBalances(network, accounts, block)
      const unknown = accounts.filter((account) => !balances.has(account))
      if (unknown.length > 0)
        log.warn(
          { network: chainId, accounts: unknown.length, block: head.block_number },
          'the node does not tell the balances at the final block, so ledgers are not compared with them',
        )
      const unexplained = await reconcileLedger(database, chainId, {
        ...{ block, at: head.block_at, balances, unknown, began },
        next: new Date(began.getTime() + day),
        retryAt: new Date(began.getTime() + unknownFor),
      })
      if (unexplained > 0)
        log.info(
          { network: chainId, accounts: unexplained, block: head.block_number },
          'balances changed by what no log shows; the ledger says so',
        )
    }
    return true
  }

  return {
    async hasWork() {
      if (due.length === 0) due = (await candidates.next()).filter(({ isDue }) => isDue)
      if (due.length > 0) return true
      const row = await readLedgerNetwork(database, chainId)
      return row !== undefined && row.next_read_at <= now()
    },
    async pass() {
      await scheduleLedger(database, chainId, new Date(now().getTime() + retryAfter))
      const final = await readBlockTime(network, await network.finalizedBlock())
      await startLedger(database, chainId, { block: final.block, blockAt: final.at, now: now() })
      // A provider without old blocks does not keep the service from reading new ones.
      const steps = [() => readNew(final), () => admit(final), () => readEarlier(final), reconcile]
      const left: unknown[] = []
      const errors: unknown[] = []
      for (const step of steps)
        await step().then(
          (isLeft) => left.push(isLeft),
          (error) => errors.push(error),
        )
      if (errors.length > 0) throw errors[0]
      const pause = left.includes(true)
        ? Math.min(retryAfter, pauseFor(network, 0))
        : pauseFor(network, together)
      await scheduleLedger(database, chainId, new Date(now().getTime() + pause))
    },
  }
}
