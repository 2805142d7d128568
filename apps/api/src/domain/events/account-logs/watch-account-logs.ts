import {
  type AccountLog,
  type AccountLogRow,
  beginLook,
  type Database,
  endLook,
  findUnfinishedLogs,
  hasSubscribers,
  readSubscribedAccounts,
  recordLogPage,
  startLooking,
  stopLooking,
} from '@lanyard/database'
import { type BlockRange, countRequests, type Network, readBlockHash, walkBlocks } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import type { Address, Hash } from 'viem'
import { readAccountLogs } from './read-account-logs.ts'

/**
 * Maximum number of accounts in a filter. With more accounts, all logs of the chain are read and filtered
 * here.
 */
export const maxNamed = 500

/**
 * Number of blocks that may still change and are all read again at each look. Where there are more, a look reads
 * only the new ones, and each block once more when it is final.
 */
const rereadBlocks = 50n

/** Number of blocks between reads of the final block while no log waits to become final. */
const finalityEvery = 50n

/** Milliseconds after which another process takes over a poll that did not end. */
const lookTimeout = 60_000

/**
 * Block time in milliseconds: the assumed value until two polls have measured it, and the bounds of the
 * measured value.
 */
const blockTimes = { assumed: 2_000, least: 250, most: 15_000 } as const

interface Dependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
}

/**
 * Reads contract logs about accounts while a stream or a webhook subscribes to them. A log is recorded when
 * it appears at the head, and again when its block is final or when a reorg removes it.
 */
export interface AccountLogWatch {
  hasWork(): Promise<boolean>
  /**
   * One look. Where few blocks may still change, they are read again each time, usually in one page, so a reorg
   * shows as missing logs. Where there are many, a look goes on after the previous one while the chain still
   * has the last block of that; otherwise it reads all of them again. The interval between looks ensures that a network gets no more requests than it
   * produces blocks.
   *
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED; the next poll reads the same blocks again
   */
  pass(): Promise<void>
}

export function watchAccountLogs({ database, now }: Dependencies, network: Network): AccountLogWatch {
  const { chainId } = network
  let isIdle = false
  let head: { readonly block: bigint; readonly at: number } | undefined
  let final = 0n
  let blockTime: number = blockTimes.assumed
  /** The last block that this process has read; absent: the next look reads all blocks that may change. */
  let seen: { readonly number: bigint; readonly hash: Hash } | undefined

  /** Reads the head. The measured block time sets the polling interval. */
  async function readHead(): Promise<{ readonly block: bigint; readonly isNew: boolean }> {
    const block = await network.call((client) => client.getBlockNumber())
    const at = now().getTime()
    const isNew = head?.block !== block
    if (head && block > head.block) {
      const seen = (at - head.at) / Number(block - head.block)
      blockTime = Math.min(Math.max(seen, blockTimes.least), blockTimes.most)
    }
    if (isNew) head = { block, at }
    return { block, isNew }
  }

  /** The blocks to read, where those that may still change are too many to read each time. */
  async function rangesOf(whole: BlockRange) {
    const { toBlock } = whole
    const before = seen
    seen = undefined
    if (toBlock - whole.fromBlock < rereadBlocks) return { ranges: [whole], next: undefined }
    const hash = await readBlockHash(network, Number(toBlock))
    const next = hash === null ? undefined : { number: toBlock, hash }
    const isOnChain =
      before !== undefined &&
      before.number < toBlock &&
      (await readBlockHash(network, Number(before.number))) === before.hash
    if (!isOnChain) return { ranges: [whole], next }
    const fresh = { fromBlock: before.number + 1n, toBlock }
    // Final blocks that the first look did not reach are among the new ones.
    const ended = { ...whole, toBlock: final < before.number ? final : before.number }
    return { ranges: [ended, fresh], next }
  }

  async function look(from: bigint | undefined, until: Date): Promise<void> {
    const { block: toBlock, isNew } = await readHead()
    const unfinished = await findUnfinishedLogs(database, chainId)
    if (from !== undefined && !isNew) return
    if (from === undefined || unfinished.length > 0 || toBlock - from >= finalityEvery) {
      final = await network.finalizedBlock()
    }
    if (from === undefined) await startLooking(database, chainId, { block: final, until })
    const accounts = await readSubscribedAccounts(database, { now: now(), limit: maxNamed })
    const named = accounts as readonly Address[] | undefined // the column holds 0x and 40 digits
    if (named?.length === 0) return
    const whole = { fromBlock: (from ?? final) + 1n, toBlock }
    const { ranges, next } = await rangesOf(whole)
    for (const range of ranges) {
      const pages = walkBlocks(network, range, (client, part) =>
        readAccountLogs(client, part, network, named),
      )
      for await (const page of pages) {
        const isLast = page.toBlock === toBlock
        const found = named ? page.result : await pickKnown(database, page.result)
        const doubtful = unfinished.filter(
          (row) =>
            // The chain may be shorter than before.
            (row.block_number <= page.toBlock && row.block_number >= page.fromBlock) ||
            (isLast && (row.block_number > toBlock || row.block_number < whole.fromBlock)),
        )
        const checked = await checkBlocks(network, doubtful, found)
        const canonical = [
          ...checked.canonical,
          ...found.map(({ blockHash, blockNumber }) => ({ blockHash, blockNumber })),
        ]
        await recordLogPage(database, chainId, {
          found,
          reorged: checked.reorged,
          final: canonical
            .filter(({ blockNumber }) => blockNumber <= final)
            .map(({ blockHash }) => blockHash),
          readTo: page.toBlock < final ? page.toBlock : final,
          now: now(),
        })
      }
    }
    seen = next
  }

  return {
    async hasWork() {
      const isWanted = await hasSubscribers(database, now())
      if (!isWanted && !isIdle) await stopLooking(database, chainId)
      isIdle = !isWanted
      return isWanted
    },
    async pass() {
      const began = now()
      const until = new Date(began.getTime() + lookTimeout)
      const turn = await beginLook(database, chainId, { now: began, until })
      if (!turn) return
      let requests = 0
      try {
        await countRequests(
          () => {
            requests++
          },
          () => look(turn.block, until),
        )
      } finally {
        // A look that could send nothing also waits.
        await endLook(database, chainId, new Date(began.getTime() + Math.max(requests, 1) * blockTime))
      }
    },
  }
}

/** Keeps the logs of this service's accounts. */
async function pickKnown(
  database: Kysely<Database>,
  logs: readonly AccountLog[],
): Promise<readonly AccountLog[]> {
  if (logs.length === 0) return []
  const addresses = [...new Set(logs.map(({ account }) => account))]
  const rows = await database
    .selectFrom('accounts')
    .select('address')
    .where('address', '=', sql<string>`any(${addresses}::text[])`) // a statement has 65,535 parameters at most
    .execute()
  const known = new Set(rows.map(({ address }) => address))
  return logs.filter(({ account }) => known.has(account))
}

/**
 * Checks the blocks of logs that were recorded and are missing now: a node that omits a log does not prove a
 * reorg.
 */
async function checkBlocks(network: Network, rows: readonly AccountLogRow[], found: readonly AccountLog[]) {
  const present = new Set(found.map(({ blockHash }) => blockHash))
  const missing = new Map(
    rows
      .filter(({ block_hash }) => !present.has(block_hash))
      .map((row) => [row.block_hash, row.block_number]),
  )
  const reorged: string[] = []
  const canonical: { readonly blockHash: string; readonly blockNumber: bigint }[] = []
  if (missing.size > 0) await network.assertChain()
  for (const [blockHash, blockNumber] of missing) {
    if ((await readBlockHash(network, blockNumber)) === blockHash) {
      canonical.push({ blockHash, blockNumber: BigInt(blockNumber) })
    } else reorged.push(blockHash)
  }
  return { reorged, canonical }
}
