import { type Database, deleteAccountLogs, deleteEvents } from '@lanyard/database'
import type { Kysely } from 'kysely'

/** Milliseconds that an event is kept. */
const keepEvents = 30 * 24 * 60 * 60_000

/** Rows that one statement deletes. */
const batchSize = 1_000

/**
 * Deletes events after 30 days, with their deliveries in any state and the final logs that they reported.
 *
 * @returns the number of events
 */
export async function purgeEvents(database: Kysely<Database>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keepEvents)
  await database.deleteFrom('account_watches').where('until', '<=', now).execute()
  for (;;) {
    if ((await deleteAccountLogs(database, { before, limit: batchSize })) < batchSize) break
  }
  let deleted = 0
  for (;;) {
    const some = await deleteEvents(database, { before, limit: batchSize })
    deleted += some
    if (some < batchSize) return deleted
  }
}
