import { setTimeout as delay } from 'node:timers/promises'
import type { OperationRow } from '@lanyard/database'
import type { Hash } from 'viem'
import type { OperationDependencies } from '../dependencies.ts'
import type { InclusionWatcher } from '../inclusion-watcher.ts'
import { readInclusions } from './inclusion.ts'
import { recordInclusion } from './record-inclusion.ts'

interface Waiter {
  readonly hash: Hash
  readonly fromBlock: bigint
  readonly settle: (row: OperationRow) => void
}

type WatcherDependencies = Pick<
  OperationDependencies,
  'database' | 'networks' | 'bundlerFor' | 'log' | 'checkpoint'
>

/** Milliseconds after which waiters look at the chain although the bundler is still at work. */
const driveBound = 1_000

/** One loop a network while anything waits there: all waiters share its requests. */
export function createInclusionWatcher({
  database,
  networks,
  bundlerFor,
  log,
  checkpoint,
}: WatcherDependencies): InclusionWatcher {
  const waiting = new Map<number, Set<Waiter>>()
  const loops = new Set<Promise<void>>()
  const drives = new Set<Promise<void>>()
  const closing = new AbortController()

  const rowsOf = (hashes: readonly string[]) =>
    database.selectFrom('operations').selectAll().where('user_op_hash', 'in', hashes)

  /** Included, or out of the race; `built` again means that the bundler refused it. */
  const readSettled = (hashes: readonly string[]) =>
    rowsOf(hashes).where('state', 'not in', ['submitting', 'submitted']).execute()

  /** What cannot be sent now, or is signed slowly, keeps nobody from hearing of what was sent before. */
  async function drive(chainId: number): Promise<void> {
    const driving = bundlerFor(chainId)
      .drive()
      .catch((error: unknown) => log.warn({ err: error, network: chainId }, 'the bundler could not go on'))
      .finally(() => drives.delete(driving))
    drives.add(driving)
    const stop = new AbortController()
    await Promise.race([driving, delay(driveBound, undefined, { signal: stop.signal }).catch(() => {})])
    stop.abort()
  }

  async function look(chainId: number, waiters: ReadonlySet<Waiter>): Promise<void> {
    await drive(chainId)
    const watched = [...waiters]
    const fromBlock = watched.reduce(
      (least, { fromBlock }) => (fromBlock < least ? fromBlock : least),
      watched[0]?.fromBlock ?? 0n,
    )
    const hashes = [...new Set(watched.map(({ hash }) => hash))]
    for (const inclusion of await readInclusions(networks.get(chainId), { hashes, fromBlock })) {
      await checkpoint('include:event-read')
      await recordInclusion(database, inclusion)
      await checkpoint('include:recorded')
    }
    // Another replica may have been first, or the worker may have dropped it.
    for (const row of await readSettled(hashes)) {
      for (const waiter of watched) if (waiter.hash === row.user_op_hash) waiter.settle(row)
    }
  }

  async function loop(chainId: number, waiters: ReadonlySet<Waiter>): Promise<void> {
    const { pollingInterval } = networks.get(chainId).config
    while (waiters.size > 0 && !closing.signal.aborted) {
      try {
        await look(chainId, waiters)
      } catch (error) {
        // The rows are safe, and every waiter has its bound: look again after a pause.
        log.warn({ err: error, network: chainId }, 'could not look for inclusions')
      }
      await delay(pollingInterval, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  function watch(chainId: number, waiter: Waiter): Set<Waiter> {
    const running = waiting.get(chainId)
    if (running && running.size > 0) return running.add(waiter)
    const waiters = new Set([waiter])
    waiting.set(chainId, waiters)
    const ended = loop(chainId, waiters).finally(() => loops.delete(ended))
    loops.add(ended)
    return waiters
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
      const waiters = watch(row.network, waiter)
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
    async close() {
      closing.abort()
      await Promise.allSettled(loops)
      await Promise.allSettled(drives)
    },
  }
}
