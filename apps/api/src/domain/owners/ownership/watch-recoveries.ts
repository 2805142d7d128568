import type { Database } from '@lanyard/database'
import { type BlockRange, type Network, walkBlocks } from '@lanyard/networks'
import { ownershipAbi } from '@lanyard/onchain'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Address, PublicClient } from 'viem'
import { getAbiItem } from 'viem/utils'
import type { Metrics } from '../../../platform/metrics/metrics.ts'

/** Milliseconds between polls. A recovery takes a day at least. */
const pause = 15_000

const recoveryStarted = getAbiItem({ abi: ownershipAbi, name: 'RecoveryStarted' })

export interface RecoveryWatchDependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'countRecovery'>
}

/** Reports each recovery of this service's accounts that begins on a network, and raises those that it did not see begin. */
export interface RecoveryWatch {
  /** Whether the next poll is due. */
  hasWork(): boolean
  /**
   * One poll. Recoveries in the newest blocks are reported at once, those in final blocks only once.
   *
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED; the next pass reads the same blocks again
   */
  pass(): Promise<void>
}

export function watchRecoveries(
  { database, now, log, metrics }: RecoveryWatchDependencies,
  network: Network,
  module: Address,
): RecoveryWatch {
  const { chainId } = network
  /** What this process has reported, by its position: the newest blocks are read repeatedly. */
  const told = new Map<string, bigint>()
  let next = 0

  const read = (client: PublicClient, range: BlockRange) =>
    client.getLogs({ address: module, event: recoveryStarted, strict: true, ...range })

  async function tell(logs: Awaited<ReturnType<typeof read>>) {
    const fresh = logs.filter(({ blockHash, logIndex }) => !told.has(`${blockHash}:${logIndex}`))
    const known = await findKnown(
      database,
      fresh.map(({ args }) => args.account),
    )
    const signedHere = await findSignedHere(
      database,
      fresh.map(({ args }) => args.recovery),
    )
    for (const { args, blockHash, logIndex, blockNumber, transactionHash } of fresh) {
      told.set(`${blockHash}:${logIndex}`, blockNumber)
      if (!known.has(args.account.toLowerCase())) continue
      const { account, recovery, readyAt } = args
      const entry = {
        ...{ network: chainId, account, recovery },
        ...{ readyAt: Number(readyAt), txnHash: transactionHash },
      }
      if (signedHere.has(recovery.toLowerCase())) {
        log.warn(entry, 'a recovery that guardians signed here was started')
        continue
      }
      metrics.countRecovery({ network: chainId })
      log.error(
        entry,
        'guardians started a recovery without this service: the owner can cancel it until it is ready',
      )
    }
  }

  return {
    hasWork: () => now().getTime() >= next,
    async pass() {
      const [final, head] = await Promise.all([
        network.finalizedBlock(),
        network.call((client) => client.getBlockNumber()),
      ])
      const seen = await database
        .selectFrom('recovery_watches')
        .select('block_number')
        .where('network', '=', chainId)
        .executeTakeFirst()
      const fromBlock = seen === undefined ? final : BigInt(seen.block_number) + 1n
      for await (const { result, toBlock } of walkBlocks(network, { fromBlock, toBlock: head }, read)) {
        await tell(result)
        await writeSeen(database, chainId, toBlock < final ? toBlock : final)
      }
      for (const [place, block] of told) if (block <= final) told.delete(place)
      next = now().getTime() + pause
    },
  }
}

async function findKnown(
  database: Kysely<Database>,
  accounts: readonly string[],
): Promise<ReadonlySet<string>> {
  if (accounts.length === 0) return new Set()
  const rows = await database
    .selectFrom('accounts')
    .select('address')
    // A statement has 65,535 parameters at most.
    .where('address', '=', sql<string>`any(${accounts.map((account) => account.toLowerCase())}::text[])`)
    .execute()
  return new Set(rows.map(({ address }) => address))
}

/** The recoveries that guardians signed at this service. */
async function findSignedHere(
  database: Kysely<Database>,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await database
    .selectFrom('recoveries')
    .select('hash')
    .where('hash', '=', sql<string>`any(${hashes.map((hash) => hash.toLowerCase())}::text[])`)
    .execute()
  return new Set(rows.map(({ hash }) => hash))
}

const writeSeen = (database: Kysely<Database>, network: number, block: bigint) =>
  database
    .insertInto('recovery_watches')
    .values({ network, block_number: Number(block) })
    .onConflict((conflict) =>
      conflict
        .column('network')
        .doUpdateSet({ block_number: Number(block) })
        .where('recovery_watches.block_number', '<', Number(block)),
    )
    .execute()
