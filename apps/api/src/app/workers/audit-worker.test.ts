/** @module-tag all */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freshDatabase } from '@lanyard/database/testing'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { recordAct } from '../../platform/audit/record-act.ts'
import { readEnv } from '../../platform/environment/env.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { startAuditWorker } from './audit-worker.ts'
import { createPasses } from './passes.ts'

const now = () => new Date()

test('behavior: two workers deliver each act once, after a failure too, and what they count names no secret', async () => {
  await using database = await freshDatabase()
  const ids: string[] = []
  let refusals = 1
  const server = createServer((request, response) => {
    request.resume()
    if (refusals-- > 0) return void response.writeHead(500).end()
    ids.push(String(request.headers['webhook-id']))
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens
  const env = readEnv({
    AUDIT_WEBHOOK_URL: `http://127.0.0.1:${port}/key-in-the-path?token=key-in-the-query`,
    AUDIT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  })
  const record = () =>
    database.db
      .transaction()
      .execute((transaction) =>
        recordAct(transaction, { actor: 'cli:alice', source: 'host', act: 'key.create' }),
      )
  await record()
  const log = pino({ level: 'silent' })
  const all = [createMetrics(log), createMetrics(log)]
  for (const metrics of all) {
    const passes = createPasses({ database: database.db, now, log, metrics })
    onTestFinished(() => passes.close())
    await startAuditWorker(passes, { database: database.db, env, metrics, now })
  }
  await expect.poll(() => ids, { timeout: 20_000 }).toEqual(['audit_1-1'])
  await record()
  await expect.poll(() => ids, { timeout: 20_000 }).toEqual(['audit_1-1', 'audit_2-2'])
  await expect
    .poll(() => all[0]?.text(), { timeout: 20_000 })
    .toContain('undelivered_acts{destination="webhook"} 0')
  const rows = [
    ...(await database.db.selectFrom('passes').selectAll().execute()),
    ...(await database.db.selectFrom('audit_deliveries').selectAll().execute()),
  ]
  expect(rows).toHaveLength(2)
  for (const text of [JSON.stringify(rows), ...(await Promise.all(all.map((metrics) => metrics.text())))])
    expect(text).not.toContain('key-in-the')
})
