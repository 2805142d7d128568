import { AsyncLocalStorage } from 'node:async_hooks'
import type { OpenDatabase } from '@lanyard/database'
import { withTimeout } from '../../platform/timeouts.ts'

/** Points of a key in its window, with those that were just added. */
export interface Counted {
  readonly consumed: number
  /** Milliseconds until the window ends. */
  readonly left: number
}

export interface CounterStore {
  /** Adds points in a window that begins with the first of them. */
  add(key: string, points: number, windowSeconds: number): Promise<Counted>
  /** Takes points back, at most those of the window that runs: it owes nothing for what was charged in an earlier one. */
  refund(key: string, points: number): Promise<void>
}

/** Milliseconds that the database has to count a request. */
export const storeTimeout = 1_000

/** Milliseconds between two deletions of windows that have ended. */
const purgeInterval = 300_000

/** Of the database, in milliseconds: the clocks of replicas differ. */
const now = 'floor(extract(epoch from now()) * 1000)::int8'

/** In the order of the keys, so that two replicas never wait for each other. */
const addAll = `
  insert into rate_limits as known (key, points, expire)
  select added.key, added.points, ${now} + added.duration
  from unnest($1::text[], $2::int4[], $3::int8[]) as added (key, points, duration)
  order by added.key
  on conflict (key) do update set
    points = excluded.points + case when known.expire > ${now} then known.points else 0 end,
    expire = case when known.expire > ${now} then known.expire else excluded.expire end
  returning key, points, (expire - ${now})::int4 as "left"`

/** Few callers get something back, so each does that by itself. */
const takeBack = `update rate_limits set points = greatest(0, points - $2::int4) where key = $1 and expire > ${now}`

/** Rows that a batch holds wait for the next purge: it would otherwise lock them in another order. */
const purge = `delete from rate_limits where key in (
  select key from rate_limits where expire < ${now} - 3600000 for update skip locked)`

interface Row {
  readonly key: string
  readonly points: number
  readonly left: number
}

interface Sum {
  points: number
  readonly windowSeconds: number
  readonly adding: PromiseWithResolvers<Counted>
}

/**
 * Counts in the database, one statement after the other: what is counted while one runs goes with the next, of all callers
 * together. So counting takes one connection of a process, however many callers there are.
 */
export function createCounterStore(pool: NonNullable<OpenDatabase['pool']>): CounterStore {
  /** The statements belong to no caller. */
  const outsideRequests = AsyncLocalStorage.snapshot()
  let waiting = new Map<string, Sum>()
  let isRunning = false
  let purgedAt = performance.now()

  async function runAll(): Promise<void> {
    while (waiting.size > 0) {
      const sums = waiting
      waiting = new Map()
      await run(sums)
    }
    isRunning = false
    if (performance.now() - purgedAt < purgeInterval) return
    purgedAt = performance.now()
    await pool.query(purge).catch(() => {}) // the next one deletes more
  }

  async function run(sums: ReadonlyMap<string, Sum>): Promise<void> {
    const all = [...sums.values()]
    try {
      const values = [
        [...sums.keys()],
        all.map(({ points }) => points),
        all.map(({ windowSeconds }) => windowSeconds * 1_000),
      ]
      const counting = pool.query<Row>({ name: 'count_requests', text: addAll, values })
      const { rows } = await withTimeout(storeTimeout, counting)
      for (const { key, points, left } of rows) sums.get(key)?.adding.resolve({ consumed: points, left })
    } catch (error) {
      for (const { adding } of all) adding.reject(error)
    }
  }

  return {
    async add(key, points, windowSeconds) {
      const sum = waiting.get(key) ?? { points: 0, windowSeconds, adding: Promise.withResolvers<Counted>() }
      waiting.set(key, sum)
      sum.points += points
      const position = sum.points
      if (!isRunning) {
        isRunning = true
        queueMicrotask(() => outsideRequests(runAll))
      }
      const { consumed, left } = await sum.adding.promise
      return { consumed: consumed - (sum.points - position), left }
    },
    async refund(key, points) {
      await withTimeout(storeTimeout, pool.query(takeBack, [key, points]))
    },
  }
}
