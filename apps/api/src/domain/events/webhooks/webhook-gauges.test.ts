import { freshDatabase } from '@lanyard/database/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { addWebhookGauges } from './webhook-gauges.ts'

test('default: what waits for an endpoint, and for how long the oldest has waited', async () => {
  await using database = await freshDatabase()
  const metrics = createMetrics(pino({ level: 'silent' }))
  const now = new Date('2026-11-29T12:00:00Z')
  addWebhookGauges(metrics, database.db, () => now)
  await database.db.transaction().execute(async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction) // without the events and the endpoint
    for (const [position, minutes, state] of [
      [1, 60, 'delivered'],
      [2, 20, 'pending'],
      [3, 5, 'pending'],
    ] as const)
      await transaction
        .insertInto('webhook_deliveries')
        .values({
          ...{ endpoint_id: 'whe_1', event_id: position, position, account: '0x01', state },
          ...{ queued_at: new Date(now.getTime() - minutes * 60_000), next_attempt_at: now },
          ...{ answered_at: null, status: null, answer: null },
        })
        .execute()
  })
  const text = await metrics.text()
  expect(text).toContain('lanyard_pending_webhooks{endpoint="whe_1"} 2\n')
  expect(text).toContain('lanyard_oldest_webhook_seconds{endpoint="whe_1"} 1200\n')
})
