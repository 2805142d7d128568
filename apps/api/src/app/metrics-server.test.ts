import { freshDatabase } from '@lanyard/database/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createSharedReads } from '../pipeline/shared-reads.ts'
import { readEnv } from '../platform/environment/env.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { serveMetrics } from './metrics-server.ts'

const log = pino({ level: 'silent' })

test('behavior: METRICS_PORT listens on loopback, needs no credentials, and tells life from readiness', async () => {
  await using database = await freshDatabase()
  const closing = new AbortController()
  const clock = { now: 0 }
  const server = await serveMetrics(readEnv({ METRICS_PORT: '0' }), {
    ...{ metrics: createMetrics(log), log, closing: closing.signal },
    ...{ sharedReads: createSharedReads(0, () => clock.now), pingDatabase: () => database.ping() },
  })
  const ask = async (path: string) => {
    const response = await fetch(new URL(path, server.url))
    return { status: response.status, text: await response.text() }
  }
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  const metrics = await ask('/metrics')
  expect([metrics.status, metrics.text.includes('lanyard_http_requests_total')]).toEqual([200, true])
  expect((await ask('/else')).status).toBe(404)

  expect(await ask('/readyz')).toEqual({ status: 200, text: '{"status":"ready"}' })
  await database.close()
  clock.now += 1_000
  expect(await ask('/readyz')).toEqual({ status: 503, text: '{"status":"down"}' })
  closing.abort()
  expect(await ask('/readyz')).toEqual({ status: 503, text: '{"status":"draining"}' })
  expect(await ask('/livez')).toEqual({ status: 200, text: '{"status":"alive"}' })
  await server.close()
})
