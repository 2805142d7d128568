import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { Webhook } from 'standardwebhooks'
import type { Metrics } from '../metrics/metrics.ts'
import { version } from '../version.ts'
import type { AuditEntry } from './entry.ts'
import { listFrom } from './read-audit-log.ts'

/** Where the audit log goes as it grows. */
export interface AuditDestination {
  /** Names its row: another address or file gets the log from its first act. */
  readonly name: string
  /** Resolves once the lines are kept there. They may be given again after a failure. */
  readonly send: (lines: string, range: { readonly first: number; readonly last: number }) => Promise<void>
}

/** Acts in one request. An act has at most a few kilobytes. */
const batchSize = 200

/** Milliseconds that a receiver has to answer. */
const timeout = 10_000

/**
 * A receiver of NDJSON (`application/x-ndjson`), signed as Standard Webhooks. The id of a request names its first and its last
 * position, so that a receiver recognises one that is sent again.
 *
 * @param secret - `whsec_…`
 */
export function auditReceiver(url: string, secret: string): AuditDestination {
  const { origin, pathname } = new URL(url)
  const webhook = new Webhook(secret)
  return {
    name: origin + pathname,
    async send(lines, { first, last }) {
      const id = `audit_${first}-${last}`
      const at = new Date() // receivers compare it with their clock
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-ndjson',
          'user-agent': `Lanyard/${version}`,
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': webhook.sign(id, at, lines),
        },
        body: lines,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the receiver of the audit log answered ${response.status}`)
    },
  }
}

/** A file that only grows. Its lines are on disk before they count as delivered. */
export function auditFile(path: string): AuditDestination {
  return {
    name: `file:${resolve(path)}`,
    async send(lines) {
      const file = await open(path, 'a', 0o600)
      try {
        await file.appendFile(lines)
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

/** How many acts a destination does not have yet. */
export async function countUndelivered(
  database: Kysely<Database>,
  { name }: Pick<AuditDestination, 'name'>,
): Promise<number> {
  const row = await database
    .selectFrom('audit_head')
    .leftJoin('audit_deliveries', (join) => join.on('destination', '=', name))
    .select(['audit_head.position as head', 'audit_deliveries.position as sent'])
    .executeTakeFirst()
  return Math.max(0, (row?.head ?? 0) - (row?.sent ?? 0))
}

/**
 * Sends what a destination does not have yet, in order. What was sent is recorded after it was kept there, so nothing is left
 * out, and some acts may arrive twice.
 *
 * @throws whatever the destination throws; what it has kept so far is recorded
 */
export async function deliverAuditLog(
  database: Kysely<Database>,
  { name, send }: AuditDestination,
  now: () => Date,
): Promise<void> {
  for (;;) {
    const row = await database
      .selectFrom('audit_deliveries')
      .select('position')
      .where('destination', '=', name)
      .executeTakeFirst()
    const entries: AuditEntry[] = await listFrom(database, (row?.position ?? 0) + 1, batchSize)
    const [first, last] = [entries[0], entries.at(-1)]
    if (!first || !last) return
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    await send(lines, { first: first.position, last: last.position })
    const delivered = { destination: name, position: last.position, delivered_at: now() }
    await database
      .insertInto('audit_deliveries')
      .values(delivered)
      .onConflict((conflict) =>
        conflict
          .column('destination')
          .doUpdateSet({ position: delivered.position, delivered_at: delivered.delivered_at })
          // A process that lost its turn does not put it back.
          .where('audit_deliveries.position', '<', delivered.position),
      )
      .execute()
  }
}

/** What waits for each destination, for an alert. */
export function addAuditGauge(
  metrics: Pick<Metrics, 'addGauge'>,
  database: Kysely<Database>,
  destinations: readonly AuditDestination[],
): void {
  metrics.addGauge({
    name: 'undelivered_acts',
    help: 'Acts of the audit log that its destination does not have yet, by destination',
    labels: ['destination'],
    ofDatabase: true,
    read: () =>
      Promise.all(
        destinations.map(async (one) => ({
          labels: { destination: one.name.startsWith('file:') ? 'file' : 'webhook' },
          value: await countUndelivered(database, one),
        })),
      ),
  })
}
