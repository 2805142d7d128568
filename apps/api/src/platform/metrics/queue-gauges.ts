import type { PgBoss } from 'pg-boss'
import type { Metrics } from './metrics.ts'

/** Jobs of every queue. pg-boss counts them about once a minute. */
export function addQueueGauges(metrics: Metrics, boss: PgBoss): void {
  metrics.addGauge({
    name: 'queue_jobs',
    help: 'Jobs of a queue: ready to run, deferred to a later time, running, failed',
    labels: ['queue', 'state'],
    async read() {
      const queues = await boss.getQueues()
      return queues.flatMap(({ name, readyCount, deferredCount, activeCount, failedCount }) => [
        { labels: { queue: name, state: 'ready' }, value: readyCount },
        { labels: { queue: name, state: 'deferred' }, value: deferredCount },
        { labels: { queue: name, state: 'active' }, value: activeCount },
        { labels: { queue: name, state: 'failed' }, value: failedCount },
      ])
    },
  })
}
