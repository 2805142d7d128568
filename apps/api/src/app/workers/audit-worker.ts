import type { Services } from '../../pipeline/services.ts'
import {
  type AuditDestination,
  addAuditGauge,
  auditFile,
  auditReceiver,
  countUndelivered,
  deliverAuditLog,
} from '../../platform/audit/deliver-audit-log.ts'
import type { Env } from '../../platform/environment/env.ts'
import type { Passes } from './passes.ts'

/** Sends the audit log to its destinations until the service closes, one request after the other. */
export async function startAuditWorker(
  passes: Passes,
  { database, env, metrics, now }: Pick<Services, 'database' | 'env' | 'metrics' | 'now'>,
): Promise<void> {
  const destinations = destinationsOf(env)
  if (destinations.length === 0) return
  addAuditGauge(metrics, database, destinations)
  await Promise.all(
    destinations.map((destination) => {
      const retry = createRetry()
      return passes.repeat({
        // One process at a time, so that the order holds.
        name: `audit-log-${destination.kind}`,
        hasWork: async () => retry.isDue() && (await countUndelivered(database, destination)) > 0,
        run: () => retry.run(() => deliverAuditLog(database, destination, now)),
      })
    }),
  )
}

const destinationsOf = ({ AUDIT_FILE, AUDIT_WEBHOOK_SECRET, AUDIT_WEBHOOK_URL }: Env): AuditDestination[] => [
  ...(AUDIT_WEBHOOK_URL === undefined || AUDIT_WEBHOOK_SECRET === undefined
    ? []
    : [auditReceiver(AUDIT_WEBHOOK_URL, AUDIT_WEBHOOK_SECRET)]),
  ...(AUDIT_FILE === undefined ? [] : [auditFile(AUDIT_FILE)]),
]

/** Milliseconds after a failure: doubled with each, up to a minute. */
const [firstRetry, lastRetry] = [1_000, 60_000]

function createRetry() {
  let wait = 0
  let due = 0
  return {
    isDue: () => performance.now() >= due,
    async run(work: () => Promise<void>) {
      try {
        await work()
        wait = 0
      } catch (error) {
        wait = Math.min(lastRetry, Math.max(firstRetry, wait * 2))
        due = performance.now() + wait
        throw error
      }
    },
  }
}
