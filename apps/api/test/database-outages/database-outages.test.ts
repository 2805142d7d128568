/** @module-tag all */
/** @module-tag longer */
// @promise 5

import { setTimeout as delay } from 'node:timers/promises'
import { errorBody, statusOf } from '@lanyard/contracts'
import { testEngines } from '@lanyard/database/testing'
import { isLong, reportFigure } from '@lanyard/testing'
import type { TcpFault } from '@lanyard/testing/fault-proxy'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findEndpoint } from '../../src/platform/endpoint-list.ts'
import { type Callers, createCallers, type SweptAnswer, sweepAll, sweepNetwork } from '../faults/sweep.ts'
import { outputNetwork } from '../load/stage.ts'
import { failingConnections } from './failing-connections.ts'
import { type Load, type ServiceBehindProxy, startLoad, startServiceBehindProxy } from './loaded-service.ts'

/** Minimum milliseconds that PostgreSQL is unavailable. `pnpm test:long` tests the promised ten seconds. */
const outage = isLong ? 10_000 : 2_500

/** Milliseconds of load before the first outage. */
const warmUp = 1_500

const outages: readonly (readonly [string, TcpFault])[] = [
  ['refuses connections', { kind: 'refuse' }],
  ['keeps its connections open and never answers again', { kind: 'black-hole', forever: true }],
]

/** Only PostgreSQL has connections that can fail. All tests share one process and one load. */
describe.skipIf(!testEngines().includes('postgresql'))('under load', () => {
  let fixture: ServiceBehindProxy
  let callers: Callers
  let load: Load
  beforeAll(async () => {
    fixture = await startServiceBehindProxy()
    callers = await createCallers(fixture.service, [outputNetwork])
    load = await startLoad(fixture)
    await delay(warmUp)
  })
  afterEach(async () => {
    await fixture.proxy.set({ kind: 'pass' })
  })
  afterAll(async () => {
    await load?.stop()
    await fixture?.[Symbol.asyncDispose]()
  })

  const recover = async () => {
    await fixture.proxy.set({ kind: 'pass' })
    await expect.poll(async () => (await fixture.service.rest.get('/health')).body.status).toBe('ok')
    await load.waitUntilStable()
  }

  test.each(outages)(
    'behavior: while PostgreSQL %s, every answer says so, and the service recovers without a restart',
    async (name, fault) => {
      const { proxy, service } = fixture
      const rejections = load.client.refusals()
      await proxy.set(fault)
      const began = performance.now()
      const [answers] = await Promise.all([
        Promise.all([
          sweepNetwork(service.rest, outputNetwork, callers),
          sweepAll(service.rest, callers),
        ]).then((all) => all.flat()),
        expect
          .poll(() => service.rest.get('/health'))
          .toMatchObject({ status: 503, body: { status: 'down', checks: { database: 'down' } } }),
      ])
      await delay(Math.max(0, outage - (performance.now() - began)))
      await recover()

      expectRejections(answers)
      const rejected = load.client.refusals() - rejections
      expect(rejected).toBeGreaterThan(0)
      reportFigure(5, `milliseconds of load while PostgreSQL ${name}`, outage)
      reportFigure(5, `requests refused and retried while PostgreSQL ${name}`, rejected)
    },
  )

  test.each(failingConnections)(
    'behavior: while connections to PostgreSQL are $name, answers are 503 or correct, and the service recovers without a restart',
    async ({ name, refuses, fail }) => {
      const [refusals, answers] = [load.client.refusals(), load.client.answers()]
      const times = await fail(fixture.proxy)
      const [refused, answered] = [load.client.refusals() - refusals, load.client.answers() - answers]
      await fixture.proxy.set({ kind: 'pass' })

      expect(load.client.faults).toEqual([])
      if (refuses) expect(refused).toBeGreaterThan(0)
      reportFigure(
        5,
        `failures, refused requests and answered requests while connections to PostgreSQL are ${name}`,
        [times, refused, answered].join(', '),
      )
    },
  )

  test('behavior: after all outages, nothing is lost, partly written or done twice', {}, async () => {
    await recover()
    await load.stop()
    const { client, operations, created } = load
    expect(client.faults).toEqual([])
    const transactions = await load.expectIntact()
    reportFigure(5, 'slowest answer without a database', `${Math.round(client.slowest())} ms`)
    reportFigure(
      5,
      'operations during database outages, each on chain once, and their transactions',
      [operations.length, transactions].join(', '),
    )
    reportFigure(5, 'users created during database outages, none lost', created.length)
  })
})

/** Expects that each endpoint needs no database or answers DATABASE_UNAVAILABLE with its declared status. */
function expectRejections(answers: readonly SweptAnswer[]): void {
  const rejected = answers.filter(({ status }) => status !== 200)
  for (const { endpoint, status, code, body } of rejected) {
    if (endpoint === 'system.health') continue
    // The networks here lack the module, which the service knows without its database.
    if (code === 'NO_OWNERSHIP') continue
    expect({ endpoint, code, status }).toEqual({
      endpoint,
      code: 'DATABASE_UNAVAILABLE',
      status: statusOf(errorBody.parse(body).code, findEndpoint(endpoint)),
    })
  }
  expect(rejected.length).toBeGreaterThan(answers.length / 2)
}
