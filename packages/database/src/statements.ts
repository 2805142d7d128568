import { memo } from '@lanyard/contracts'
import type { Compilable, Kysely } from 'kysely'
import { isUnavailable } from './errors.ts'
import type { Database } from './schema.ts'

interface BatchLimits {
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

/** Stands for a value while a query is compiled. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is built and compiled on its first use, and after that only gets its values. Kysely otherwise does
 * both on each call, which takes longer for a large query than sending it.
 *
 * @param build - uses its values only as parameters: it gets placeholders, and its result must not depend on them
 */
export function prepared<V extends object, R>(
  build: (db: Kysely<Database>, values: V) => Compilable<R>,
): (db: Kysely<Database>, values: V) => Promise<R[]> {
  let compiled: ReturnType<Compilable<R>['compile']> | undefined
  return async (db, values) => {
    compiled ??= build(db, placeholders<V>()).compile()
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as keyof V] : value,
    )
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters })
    return rows
  }
}

/** The builder only passes them on, so they need not be of the declared types. */
const placeholders = <V extends object>() =>
  new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as V
