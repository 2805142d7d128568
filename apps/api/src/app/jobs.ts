import type { JobsStore } from '@lanyard/database'
import { fromPglite, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** Starts pg-boss where the database is. */
export async function startJobs(store: JobsStore, log: Logger): Promise<PgBoss> {
  const boss =
    'pglite' in store
      ? new PgBoss({ db: fromPglite(store.pglite), backend: 'pglite' })
      : new PgBoss({ ...store, application_name: 'lanyard-jobs', max: 4 })
  boss.setMaxListeners(0) // each queue of a network listens for its end
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue failed; it tries again'))
  await boss.start()
  return boss
}
