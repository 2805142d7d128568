import { memo } from '@lanyard/contracts'
import type { Kysely } from 'kysely'
import { isUnavailable } from './errors/is-unavailable.ts'
import type { Database } from './schema.ts'

export interface BatchLimits {
  /** Maximum number of items in one run. Default: 100. */
  readonly maxItems?: number
  /** Maximum number of concurrent runs. Default: 1. */
  readonly maxRuns?: number
}

/**
 * Runs waiting items as one batch; items that arrive during a run wait for the next. If a run fails, each of
 * its items is run again alone, so that only the bad items fail. If the database does not respond, all of
 * them fail immediately.
 *
 * @param run - returns results in the order of the items
 */
export function batched<I, O>(
  run: (items: readonly I[]) => Promise<readonly O[]>,
  { maxItems = 100, maxRuns = 1 }: BatchLimits = {},
): (item: I) => Promise<O> {
  interface Waiting {
    readonly item: I
    readonly resolve: (answer: O) => void
    readonly reject: (error: unknown) => void
  }
  const waiting: Waiting[] = []
  let runs = 0
  let isStarting = false

  async function runSome(some: readonly Waiting[]): Promise<void> {
    try {
      const answers = await run(some.map(({ item }) => item))
      // `run` returns one result per item.
      for (const [index, { resolve }] of some.entries()) resolve(answers[index] as O)
    } catch (error) {
      if (some.length > 1 && !isUnavailable(error)) for (const one of some) await runSome([one])
      else for (const { reject } of some) reject(error)
    }
  }
  async function runAll(): Promise<void> {
    while (waiting.length > 0) await runSome(waiting.splice(0, maxItems))
    runs--
  }

  /** Includes items that arrive in the same turn of the event loop. */
  function start(): void {
    if (isStarting || runs >= maxRuns || waiting.length === 0) return
    isStarting = true
    setImmediate(() => {
      isStarting = false
      runs++
      void runAll()
      start()
    })
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<O>()
    waiting.push({ item, resolve, reject })
    start()
    return promise
  }
}

/** Caches a value per database. Not for a transaction: statements of other callers must not join it. */
export function perDatabase<T extends object>(
  make: (db: Kysely<Database>) => T,
): (db: Kysely<Database>) => T {
  const known = memo(make)
  return (db) => (db.isTransaction ? make(db) : known(db))
}
