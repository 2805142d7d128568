import { type Alarm, type Database, endAlarms, raiseAlarms } from '@lanyard/database'
import type { BlockRange, Network, Networks } from '@lanyard/networks'
import { ownershipAbi } from '@lanyard/onchain'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { type Address, isAddressEqual, type PublicClient } from 'viem'
import { getAbiItem } from 'viem/utils'
import { type LogWatch, raisedBy, watchLogs } from '../../../platform/watch-logs.ts'
import { importChange, importGuardianMessage } from '../recovery/import-recovery.ts'
import { findDueHistory, importHistory } from './owner-history.ts'

const watched = [
  getAbiItem({ abi: ownershipAbi, name: 'RecoveryStarted' }),
  getAbiItem({ abi: ownershipAbi, name: 'RecoveriesCancelled' }),
  getAbiItem({ abi: ownershipAbi, name: 'RecoveryCancelled' }),
  getAbiItem({ abi: ownershipAbi, name: 'RecoveryExecuted' }),
  getAbiItem({ abi: ownershipAbi, name: 'OwnerChangeApplied' }),
] as const

export interface RecoveryWatchDependencies {
  readonly database: Kysely<Database>
  readonly networks: Networks
  readonly now: () => Date
  readonly log: Logger
}

/** Milliseconds for which a recovery that is ready can be executed: _LIFETIME of Guardians.sol. */
const recoveryLifetime = 30 * 24 * 60 * 60_000

/** Milliseconds until two histories of an account's owners are no news any more, if no later change holds on both. */
const splitLifetime = 30 * 24 * 60 * 60_000

/**
 * Reports each recovery of this service's accounts that begins on a network, and raises those that it did not see begin.
 * What a final block shows and this service did not see signed becomes part of its log, and holds on the other networks.
 */
export function watchRecoveries(
  { database, networks, now, log }: RecoveryWatchDependencies,
  network: Network,
  module: Address,
): LogWatch {
  const { chainId } = network
  const read = (client: PublicClient, range: BlockRange) =>
    client.getLogs({ address: module, events: watched, strict: true, ...range })

  type Log = Awaited<ReturnType<typeof read>>[number]
  type Started = Extract<Log, { eventName: 'RecoveryStarted' }>

  const alarmOf = (kind: Alarm['kind'], topic: string) => ({
    network: chainId,
    kind,
    topic: topic.toLowerCase(),
  })

  async function tell(started: readonly Started[], isNew: (log: Started) => boolean, final: bigint) {
    const signedHere = await findSignedHere(
      database,
      started.map(({ args }) => args.recovery),
    )
    const unannounced = started.filter(({ args }) => !signedHere.has(args.recovery.toLowerCase()))
    await raiseAlarms(
      database,
      unannounced.map((one) => ({
        ...{ ...alarmOf('recovery', one.args.recovery), ...raisedBy(one, final), event: '', wei: 0n },
        ends_at: new Date(Number(one.args.readyAt) * 1000 + recoveryLifetime),
      })),
    )
    for (const { args, transactionHash } of started.filter(isNew)) {
      const { account, recovery, readyAt } = args
      const entry = {
        ...{ network: chainId, account, recovery },
        ...{ readyAt: Number(readyAt), txnHash: transactionHash },
      }
      if (signedHere.has(recovery.toLowerCase())) {
        log.warn(entry, 'a recovery that guardians signed here was started')
        continue
      }
      log.error(
        entry,
        'guardians started a recovery without this service: the owner can cancel it until it is ready',
      )
    }
  }

  /** The logs of final blocks, in their order. Each is read once, or again after a crash, and then changes nothing. */
  async function importFinal(logs: readonly Log[]) {
    const services = { database, networks, now }
    for (const one of logs) {
      const { eventName, args, transactionHash } = one
      const entry = { network: chainId, account: args.account, txnHash: transactionHash }
      const end = { block: Number(one.blockNumber), now: now() }
      if (eventName === 'RecoveryCancelled' || eventName === 'RecoveryExecuted') {
        await endAlarms(database, { ...alarmOf('recovery', args.recovery), ...end })
        continue
      }
      if (eventName !== 'OwnerChangeApplied') {
        const isKept = await importGuardianMessage(services, { module, network }, args)
        if (!isKept)
          log.warn(
            entry,
            'guardians started or took back a recovery, which does not fit what was signed here',
          )
        continue
      }
      const outcome = await importChange(services, module, args)
      if (outcome === 'unreadable') log.warn(entry, 'an owner change has an encoding that cannot be imported')
      const split = alarmOf('owner-split', args.account)
      if (outcome === 'kept') await endAlarms(database, { ...split, ...end })
      if (outcome !== 'split') continue
      await raiseAlarms(database, [
        {
          ...{ ...split, ...raisedBy(one, one.blockNumber), event: '', wei: 0n },
          ends_at: new Date(now().getTime() + splitLifetime),
        },
      ])
      log.error(
        { ...entry, sequence: String(args.sequence) },
        'networks applied different owner changes of one sequence: their owners may differ',
      )
    }
  }

  /** Looks once for what a network applied before this service read its logs, for an account that was asked about. */
  async function importOlder() {
    const due = await findDueHistory(database, chainId, now())
    if (!due) return
    const { account } = due
    try {
      await importHistory({ database, now }, { network, module }, due, async (block) => {
        const range = { fromBlock: block, toBlock: block }
        const logs = await network.call((client) => read(client, range))
        await importFinal(logs.filter(({ args }) => isAddressEqual(args.account, account)))
      })
    } catch (error) {
      const entry = { err: error, network: chainId, account }
      log.warn(entry, 'could not read older owner changes; it will be retried')
    }
  }

  const watch = watchLogs({
    ...{ database, network, now, table: 'recovery_watches', alarms: ['recovery', 'owner-split'], read },
    async handle(logs, isNew, final) {
      const known = await findKnown(
        database,
        logs.map(({ args }) => args.account),
      )
      const ours = logs.filter(({ args }) => known.has(args.account.toLowerCase()))
      const started = ours.filter((one) => one.eventName === 'RecoveryStarted')
      await tell(started, isNew, final)
      await importFinal(ours.filter(({ blockNumber }) => blockNumber <= final))
    },
  })
  return {
    ...watch,
    async pass() {
      await watch.pass()
      await importOlder()
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

/** The recoveries that enough guardians signed at this service: it starts them itself. */
async function findSignedHere(
  database: Kysely<Database>,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await database
    .selectFrom('recoveries')
    .select('hash')
    .where('hash', '=', sql<string>`any(${hashes.map((hash) => hash.toLowerCase())}::text[])`)
    .where('complete_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ hash }) => hash))
}
