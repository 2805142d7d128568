import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
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
  readonly kind: 'webhook' | 'file'
  /** Names its row: another address or file gets the log from its first act. Contains no secret. */
  readonly name: string
  /** Resolves once the lines are kept there. They may be given again after a failure. */
  readonly send: (lines: string, range: { readonly first: number; readonly last: number }) => Promise<void>
}

/** Acts in one request. */
const batchSize = 200

/** Bytes of one request, unless a single act has more: many receivers accept no larger body. */
const maxBytes = 1_000_000

/** Requests of one call: even if each takes its whole time-out, the call ends before its turn does. */
const maxRequests = 5

/** Milliseconds that a receiver has to answer. */
const timeout = 10_000

/**
 * A receiver of NDJSON (`application/x-ndjson`), signed as Standard Webhooks. The id of a request names its first and its last
 * position, so that a receiver recognises one that is sent again.
 *
 * @param secret - `whsec_…`
 */
export function auditReceiver(url: string, secret: string): AuditDestination {
  const { host, origin, pathname } = new URL(url)
  const webhook = new Webhook(secret)
  // The path is often a key.
  const digest = createHash('sha256')
    .update(origin + pathname)
    .digest('hex')
  return {
    kind: 'webhook',
    name: `webhook:${host}#${digest.slice(0, 16)}`,
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
    kind: 'file',
    name: `file:${resolve(path)}`,
    async send(lines) {
      const file = await open(path, 'a+', 0o600)
      try {
        // A full disk or the end of a process may have left half a line, and the next line would continue it.
        await file.appendFile((await endsWithinLine(file)) ? `\n${lines}` : lines)
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

async function endsWithinLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer.toString() !== '\n'
}

/** How many acts a destination does not have yet, or by how many it has more than the log, which is an error. */
export async function countUndelivered(
  database: Kysely<Database>,
  { name }: Pick<AuditDestination, 'name'>,
): Promise<number> {
  const row = await database
    .selectFrom('audit_head')
    .leftJoin('audit_deliveries', (join) => join.on('destination', '=', name))
    .select(['audit_head.position as head', 'audit_deliveries.position as sent'])
    .executeTakeFirst()
  return Math.abs((row?.head ?? 0) - (row?.sent ?? 0))
}

/**
 * Sends what a destination does not have yet, in order, as far as a few requests go. What was sent is recorded after it was kept
 * there, so nothing is left out, and some acts may arrive twice.
 *
 * @throws whatever the destination throws; what it has kept so far is recorded. Error if the destination has more than the log
 */
export async function deliverAuditLog(
  database: Kysely<Database>,
  { name, send }: Pick<AuditDestination, 'name' | 'send'>,
  now: () => Date,
): Promise<void> {
  for (let request = 0; request < maxRequests; request++) {
    const row = await database
      .selectFrom('audit_deliveries')
      .select('position')
      .where('destination', '=', name)
      .executeTakeFirst()
    const sent = row?.position ?? 0
    const entries = await listFrom(database, sent + 1, batchSize)
    const [first] = entries
    if (!first) return assertReaches(database, sent)
    const { lines, last } = toLines(entries)
    await send(lines, { first: first.position, last })
    const delivered = { destination: name, position: last, delivered_at: now() }
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

/** As many of the entries as one request takes, and at least one. */
function toLines(entries: readonly AuditEntry[]) {
  let [lines, last, bytes] = ['', 0, 0]
  for (const entry of entries) {
    const line = `${JSON.stringify(entry)}\n`
    bytes += Buffer.byteLength(line)
    if (lines !== '' && bytes > maxBytes) break
    lines += line
    last = entry.position
  }
  return { lines, last }
}

/** @throws Error if the log ends before a position: new acts would have positions that count as delivered */
async function assertReaches(database: Kysely<Database>, sent: number): Promise<void> {
  const head = await database.selectFrom('audit_head').select('position').executeTakeFirst()
  const end = head?.position ?? 0
  if (end < sent)
    throw new Error(
      `the audit log ends at ${end}, and ${sent} acts were delivered: it was restored or changed`,
    )
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
          labels: { destination: one.kind },
          value: await countUndelivered(database, one),
        })),
      ),
  })
}
