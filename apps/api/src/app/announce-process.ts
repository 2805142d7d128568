import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, deleteProcess, renewProcess } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Env } from '../platform/environment/env.ts'
import { version } from '../platform/version.ts'

/** Milliseconds. */
const announceInterval = 15_000
const closeTimeout = 1_000

interface Dependencies {
  readonly env: Pick<Env, 'ROLES'>
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
}

/** Says in the database that this process lives, until it stops: what dies without stopping is missed. */
export async function announceProcess({
  env,
  database,
  now,
  log,
}: Dependencies): Promise<{ close(): Promise<void> }> {
  const process = {
    ...{ id: randomUUID(), roles: env.ROLES.join(','), host: hostname(), version },
    started_at: now(),
  }
  const renew = () => renewProcess(database, { ...process, seen_at: now() })
  await renew()
  let renewing = Promise.resolve()
  const timer = setInterval(() => {
    renewing = renew().catch((error: unknown) => {
      log.debug({ err: error }, 'this process could not say that it lives')
    })
  }, announceInterval)
  return {
    async close() {
      clearInterval(timer)
      // Without a database it dies like one that was killed.
      const deleted = renewing.then(() => deleteProcess(database, process.id)).catch(() => {})
      await Promise.race([deleted, delay(closeTimeout, undefined, { ref: false })])
    },
  }
}
