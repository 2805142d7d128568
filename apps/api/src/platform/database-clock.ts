import { setInterval } from 'node:timers'
import type { OpenDatabase } from '@lanyard/database'
import { sql } from 'kysely'
import type { Logger } from 'pino'

/** Milliseconds between two readings: after the machine wakes from sleep, the clock is wrong for at most this long. */
const interval = 30_000

/** Milliseconds: a slower reading is too inaccurate. Replicas may differ by half of it. */
const maxReading = 500

/** Difference of the machine's own clock, in milliseconds, above which the log reports it. */
const worthSaying = 5_000

export interface DatabaseClock {
  readonly now: () => Date
  close(): Promise<void>
}

/**
 * The database's clock, which all replicas use: lease holders and expiries are written by one replica and
 * read by another, and the clocks of their machines may differ by minutes. Between readings, the monotonic
 * clock counts the time, so that setting the machine's clock has no effect. While the database is
 * unavailable, this continues.
 *
 * Times that a chain judges (the validity of an operation, an order or a session) are measured by its blocks,
 * not by this clock.
 */
export async function startDatabaseClock(
  { db }: Pick<OpenDatabase, 'db'>,
  log: Logger,
): Promise<DatabaseClock> {
  /** Unix milliseconds when the monotonic clock was 0. */
  let origin = await readOrigin(db)
  const ahead = Date.now() - (origin + performance.now())
  if (Math.abs(ahead) > worthSaying) {
    log.warn(
      { seconds: Math.round(ahead / 1000) },
      "this machine's clock differs from the database's, which is used",
    )
  }

  async function adjust(): Promise<void> {
    const began = performance.now()
    const next = await readOrigin(db)
    if (performance.now() - began <= maxReading) origin = next
  }
  let adjusting: Promise<void> | undefined
  const timer = setInterval(() => {
    adjusting ??= adjust()
      .catch((error: unknown) => log.warn({ err: error }, "the database's clock could not be read"))
      .finally(() => {
        adjusting = undefined
      })
  }, interval)
  timer.unref()
  return {
    now: () => new Date(origin + performance.now()),
    async close() {
      clearInterval(timer)
      await adjusting
    },
  }
}

async function readOrigin(db: OpenDatabase['db']): Promise<number> {
  const began = performance.now()
  const { now } = await db.selectNoFrom(sql<Date>`clock_timestamp()`.as('now')).executeTakeFirstOrThrow()
  return now.getTime() - (began + performance.now()) / 2
}
