import { setTimeout as delay } from 'node:timers/promises'
import type { OperationRow } from '@lanyard/database'
import type { Hash } from 'viem'
import { createFailureLog } from '../../../platform/log/failure-log.ts'
import type { InclusionWatcher, OperationDependencies } from '../dependencies.ts'
import { readInclusions, recordIncluded } from './inclusion.ts'

interface Waiter {
  readonly hash: Hash
  readonly fromBlock: bigint
  readonly settle: (row: OperationRow) => void
}

type WatcherDependencies = Pick<
  OperationDependencies,
  'database' | 'networks' | 'features' | 'bundlerFor' | 'log' | 'checkpoint'
>

/** The waiters of one network. */
interface Watch {
  readonly waiters: Set<Waiter>
  /** A waiter joined whose operation the bundler has to send: it does not wait for the pause. */
  hasNew: boolean
  /** The pause between polls; aborted to end it early. */
  pause: AbortController | undefined
  /** Why the last look failed. */
  failure: unknown
}

/** Milliseconds after which waiters check the chain although the bundler is still busy. */
const driveTimeout = 1_000

/** One loop per network while there are waiters: they share its requests. */
export function createInclusionWatcher({
  database,
  networks,
  features,
  bundlerFor,
  log,
  checkpoint,
}: WatcherDependencies): InclusionWatcher {
  const failures = createFailureLog(log)
  const watches = new Map<number, Watch>()
  const loops = new Set<Promise<void>>()
  const drives = new Set<Promise<void>>()
  const closing = new AbortController()

  const rowsOf = (hashes: readonly string[]) =>
    database.selectFrom('operations').selectAll().where('user_op_hash', 'in', hashes)

  /** Included or ended operations; `built` means that the bundler rejected the operation. */
  const readSettled = (hashes: readonly string[]) =>
    rowsOf(hashes).where('state', 'not in', ['submitting', 'submitted']).execute()

  /**
   * An operation that cannot be sent now, or a slow signer, must not delay the results of earlier operations.
   */
  async function drive(chainId: number): Promise<void> {
    const driving = bundlerFor(chainId)
      .drive()
      .then(
        () => failures.clear(`bundler ${chainId}`),
        (error: unknown) =>
          failures.warn(`bundler ${chainId}`, error, { network: chainId }, 'the bundler could not continue'),
      )
      .finally(() => drives.delete(driving))
    drives.add(driving)
    const stop = new AbortController()
    await Promise.race([driving, delay(driveTimeout, undefined, { signal: stop.signal }).catch(() => {})])
    stop.abort()
  }

  async function look(chainId: number, waiters: ReadonlySet<Waiter>): Promise<void> {
    await drive(chainId)
    const watched = [...waiters]
    if (watched.length === 0) return // the last one gave up meanwhile
    const fromBlock = watched.reduce(
      (least, { fromBlock }) => (fromBlock < least ? fromBlock : least),
      watched[0]?.fromBlock ?? 0n,
    )
    const hashes = [...new Set(watched.map(({ hash }) => hash))]
    const inclusions = await readInclusions(networks.get(chainId), { hashes, fromBlock })
    const recorded = await Promise.all(
      inclusions.map(async (inclusion) => {
        await checkpoint('include:event-read')
        const row = await recordIncluded({ database, features }, inclusion)
        await checkpoint('include:recorded')
        return row ?? []
      }),
    )
    const ended = new Map(recorded.flat().map((row) => [row.user_op_hash, row]))
    // Another replica may have recorded it first, or the worker may have dropped it.
    const others = hashes.filter((hash) => !ended.has(hash))
    for (const row of others.length > 0 ? await readSettled(others) : []) ended.set(row.user_op_hash, row)
    for (const { hash, settle } of watched) {
      const row = ended.get(hash)
      if (row) settle(row)
    }
  }

  async function pause(chainId: number, watch: Watch): Promise<void> {
    if (watch.hasNew) return
    watch.pause = new AbortController()
    const signal = AbortSignal.any([closing.signal, watch.pause.signal])
    await delay(networks.get(chainId).config.pollingInterval, undefined, { signal }).catch(() => {})
    watch.pause = undefined
  }

  async function loop(chainId: number, watch: Watch): Promise<void> {
    while (watch.waiters.size > 0 && !closing.signal.aborted) {
      watch.hasNew = false
      try {
        await look(chainId, watch.waiters)
        watch.failure = undefined
        failures.clear(`look ${chainId}`)
      } catch (error) {
        watch.failure = error
        // The rows are safe and every waiter has a time-out, so the loop tries again after a pause.
        failures.warn(`look ${chainId}`, error, { network: chainId }, 'could not check for inclusions')
        watch.hasNew = false
      }
      await pause(chainId, watch)
    }
  }

  function join(chainId: number, waiter: Waiter): Watch {
    const running = watches.get(chainId)
    if (running && running.waiters.size > 0) {
      running.waiters.add(waiter)
      running.hasNew = true
      running.pause?.abort()
      return running
    }
    const watch: Watch = { waiters: new Set([waiter]), hasNew: true, pause: undefined, failure: undefined }
    watches.set(chainId, watch)
    const ended = loop(chainId, watch).finally(() => loops.delete(ended))
    loops.add(ended)
    return watch
  }

  return {
    async wait(row, timeout) {
      if (closing.signal.aborted) return row
      const { promise, resolve } = Promise.withResolvers<OperationRow | undefined>()
      const waiter: Waiter = {
        hash: row.user_op_hash as Hash, // the column holds 0x and 64 digits
        fromBlock: BigInt(row.signed_at_block ?? 0),
        settle: resolve,
      }
      const { waiters } = join(row.network, waiter)
      const giveUp = () => resolve(undefined)
      const timer = setTimeout(giveUp, timeout)
      closing.signal.addEventListener('abort', giveUp, { once: true })
      try {
        const settled = await promise
        return settled ?? (await rowsOf([row.user_op_hash]).executeTakeFirst()) ?? row
      } finally {
        clearTimeout(timer)
        closing.signal.removeEventListener('abort', giveUp)
        waiters.delete(waiter)
      }
    },
    failureOn: (chainId) => watches.get(chainId)?.failure,
    async close() {
      closing.abort()
      await Promise.allSettled(loops)
      await Promise.allSettled(drives)
    },
  }
}
