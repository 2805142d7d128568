import { type Alarm, type Database, deleteAlarms } from '@lanyard/database'
import { type BlockRange, type Network, walkBlocks } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import type { Hash, PublicClient } from 'viem'

/** Milliseconds between polls. */
const readInterval = 15_000

/** Milliseconds for which an ended alarm is kept: longer than another process may read its log again. */
const keepAlarms = 30 * 24 * 60 * 60_000

export interface LogPosition {
  readonly blockHash: Hash
  readonly blockNumber: bigint
  readonly logIndex: number
}

/** What an alarm says of the log that raises it. */
export const raisedBy = (
  { transactionHash, logIndex, blockNumber }: LogPosition & { readonly transactionHash: Hash },
  final: bigint,
) => ({
  log: `${transactionHash}:${logIndex}`,
  block_number: Number(blockNumber),
  final: blockNumber <= final,
})

interface LogWatchOptions<T> {
  readonly database: Kysely<Database>
  readonly network: Network
  readonly now: () => Date
  /** Keeps how far all processes have read. */
  readonly table: 'recovery_watches' | 'watched_contracts'
  /** The kinds of alarm that `handle` raises: those whose block a reorg removes are deleted. */
  readonly alarms: readonly Alarm['kind'][]
  read(client: PublicClient, range: BlockRange): Promise<T>
  /**
   * Handles what was read, oldest first. Blocks above `final` are read again by the next poll.
   *
   * @param isNew - false if this process has had the log before
   */
  handle(found: T, isNew: (log: LogPosition) => boolean, final: bigint): Promise<void>
}

export interface LogWatch {
  /** Whether the next poll is due. */
  hasWork(): boolean
  /**
   * One poll. Logs of the newest blocks are handled at once and in each poll, those of final blocks only once, but
   * possibly by another process than the one that handled them before.
   *
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED; the next pass reads the same blocks again
   */
  pass(): Promise<void>
}

/** Reads the logs of a network from the block on in which the service first looked. */
export function watchLogs<T>({
  database,
  network,
  now,
  table,
  alarms,
  read,
  handle,
}: LogWatchOptions<T>): LogWatch {
  const { chainId } = network
  /** What this process has handled, by its position on the chain. */
  const handled = new Map<string, bigint>()
  let next = 0
  async function handleOnce(found: T, final: bigint): Promise<void> {
    const fresh: string[] = []
    const isNew = ({ blockHash, blockNumber, logIndex }: LogPosition) => {
      const position = `${blockHash}:${logIndex}`
      if (handled.has(position)) return false
      handled.set(position, blockNumber)
      fresh.push(position)
      return true
    }
    try {
      await handle(found, isNew, final)
    } catch (error) {
      for (const position of fresh) handled.delete(position) // the next poll handles them again
      throw error
    }
  }
  return {
    hasWork: () => now().getTime() >= next,
    async pass() {
      const [final, head, seen] = await Promise.all([
        network.finalizedBlock(),
        network.call((client) => client.getBlockNumber()),
        findSeen(database, table, chainId),
      ])
      const fromBlock = seen === undefined ? final : seen + 1n
      for await (const { result, toBlock } of walkBlocks(network, { fromBlock, toBlock: head }, read)) {
        await handleOnce(result, final)
        await writeSeen(database, table, chainId, toBlock < final ? toBlock : final)
      }
      await deleteAlarms(database, {
        ...{ network: chainId, kinds: alarms, final: Number(final) },
        endedBefore: new Date(now().getTime() - keepAlarms),
      })
      for (const [position, block] of handled) if (block <= final) handled.delete(position)
      next = now().getTime() + readInterval
    },
  }
}

async function findSeen(
  database: Kysely<Database>,
  table: LogWatchOptions<unknown>['table'],
  network: number,
): Promise<bigint | undefined> {
  const row = await database
    .selectFrom(table)
    .select('block_number')
    .where('network', '=', network)
    .executeTakeFirst()
  return row && BigInt(row.block_number)
}

/** Never decreases: another process may have read further. */
async function writeSeen(
  database: Kysely<Database>,
  table: LogWatchOptions<unknown>['table'],
  network: number,
  block: bigint,
): Promise<void> {
  await sql`
    insert into ${sql.table(table)} as known (network, block_number) values (${network}, ${Number(block)})
    on conflict (network) do update set block_number = excluded.block_number
    where known.block_number < excluded.block_number`.execute(database)
}
