import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import type { Metrics } from '../../../platform/metrics/metrics.ts'

const count = sql<number>`count(*)::int4`.as('count')

/** Gauges for alerts: disabled endpoints, and waiting deliveries. */
export function addWebhookGauges(metrics: Metrics, database: Kysely<Database>, now: () => Date): void {
  metrics.addGauge({
    name: 'disabled_webhooks',
    help: 'Webhook endpoints that are disabled, by the reason',
    labels: ['reason'],
    ofDatabase: true,
    async read() {
      const rows = await database
        .selectFrom('webhook_endpoints')
        .select(['disabled_reason', count])
        .where('disabled_at', 'is not', null)
        .groupBy('disabled_reason')
        .execute()
      return rows.map(({ disabled_reason, count }) => ({
        labels: { reason: disabled_reason ?? '' },
        value: count,
      }))
    },
  })
  metrics.addGauge({
    name: 'pending_webhooks',
    help: 'Events that wait for their delivery, by endpoint',
    labels: ['endpoint'],
    ofDatabase: true,
    async read() {
      const rows = await database
        .selectFrom('webhook_deliveries')
        .select(['endpoint_id', count])
        .where('state', '=', 'pending')
        .groupBy('endpoint_id')
        .execute()
      return rows.map(({ endpoint_id, count }) => ({ labels: { endpoint: endpoint_id }, value: count }))
    },
  })
  metrics.addGauge({
    name: 'oldest_webhook_seconds',
    help: 'How long the oldest event has waited for its delivery, by endpoint',
    labels: ['endpoint'],
    ofDatabase: true,
    async read() {
      const rows = await database
        .selectFrom('webhook_deliveries')
        .select(['endpoint_id', sql<Date>`min(queued_at)`.as('oldest')])
        .where('state', '=', 'pending')
        .groupBy('endpoint_id')
        .execute()
      return rows.map(({ endpoint_id, oldest }) => ({
        labels: { endpoint: endpoint_id },
        value: Math.max(0, (now().getTime() - oldest.getTime()) / 1000),
      }))
    },
  })
}
