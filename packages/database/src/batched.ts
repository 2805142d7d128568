import type { Kysely } from 'kysely'
import { isUnavailable } from './errors/is-unavailable.ts'
import type { Database } from './schema.ts'

export interface BatchLimits {
  /** Items of one run at most. Default: 100. */
  readonly maxItems?: number
  /** Runs under way at once. Default: 1. */
  readonly maxRuns?: number
}

/**
 * One run for all that wait: while it is under way, others gather for the next. A run that fails is repeated for each of
 * its items alone, so that one that cannot be done fails alone; where the database does not answer, all fail at once.
 *
 * @param run - answers in the order of the items
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
      // One for each item, by the contract above.
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

  /** What comes in the same turn of the event loop goes along. */
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

/** What is made once for each database: not for a transaction, whose statements nobody else's may join. */
export function perDatabase<T extends object>(
  make: (db: Kysely<Database>) => T,
): (db: Kysely<Database>) => T {
  const made = new WeakMap<Kysely<Database>, T>()
  return (db) => {
    if (db.isTransaction) return make(db)
    const known = made.get(db) ?? make(db)
    made.set(db, known)
    return known
  }
}
