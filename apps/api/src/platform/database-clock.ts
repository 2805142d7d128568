import { setInterval } from 'node:timers'
import type { OpenDatabase } from '@lanyard/database'
import { sql } from 'kysely'
import type { Logger } from 'pino'

/** Milliseconds between two readings: so long a machine that slept is wrong, at most. */
const interval = 30_000

/** Milliseconds: a reading that took longer says too little. Half of it is what replicas may differ by. */
const maxReading = 500

/** Milliseconds by which the machine's own clock may be off before the log says so. */
const worthSaying = 5_000

export interface DatabaseClock {
  readonly now: () => Date
  close(): Promise<void>
}

/**
 * The database's clock, by which all replicas tell the time: who holds a lease, and what has expired, is written by one
 * and read by another, and their machines' clocks may differ by minutes. Between readings the time is counted on by
 * the monotonic clock, so that setting the machine's clock changes nothing. While the database is away it goes on so.
 *
 * What a chain judges (the validity of an operation, of an order, of a session) is measured by its blocks, not by this.
 */
export async function startDatabaseClock(
  { db }: Pick<OpenDatabase, 'db'>,
  log: Logger,
): Promise<DatabaseClock> {
  /** Unix milliseconds of the moment at which the monotonic clock was 0. */
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
