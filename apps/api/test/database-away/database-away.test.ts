/** @module-tag all */
/** @module-tag longer */

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

/** Milliseconds that PostgreSQL is away, at least: `pnpm test:long` keeps the promise of ten seconds. */
const away = isLong ? 10_000 : 2_500

/** Milliseconds under load before. */
const usual = 1_500

const outages: readonly (readonly [string, TcpFault])[] = [
  ['refuses connections', { kind: 'refuse' }],
  ['keeps its connections and never answers on them again', { kind: 'black-hole', forever: true }],
]

/** Only PostgreSQL can be away, and has connections. All that happens, happens to one process under one load. */
describe.skipIf(!testEngines().includes('postgresql'))('under load', () => {
  let behind: ServiceBehindProxy
  let callers: Callers
  let load: Load
  beforeAll(async () => {
    behind = await startServiceBehindProxy()
    callers = await createCallers(behind.service, [outputNetwork])
    load = await startLoad(behind)
    await delay(usual)
  })
  afterEach(async () => {
    await behind.proxy.set({ kind: 'pass' })
  })
  afterAll(async () => {
    await load?.stop()
    await behind?.[Symbol.asyncDispose]()
  })

  const isWellAgain = async () => {
    await behind.proxy.set({ kind: 'pass' })
    await expect.poll(async () => (await behind.service.rest.get('/health')).body.status).toBe('ok')
    await load.calm()
  }

  test.each(outages)(
    'behavior: while PostgreSQL %s, every answer says so; then all goes on without a restart',
    async (name, fault) => {
      const { proxy, service } = behind
      const refusals = load.client.refusals()
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
      await delay(Math.max(0, away - (performance.now() - began)))
      await isWellAgain()

      expectRefusals(answers)
      const refused = load.client.refusals() - refusals
      expect(refused).toBeGreaterThan(0)
      reportFigure(5, `milliseconds of load while PostgreSQL ${name}`, away)
      reportFigure(5, `requests refused and sent again while PostgreSQL ${name}`, refused)
    },
  )

  test.each(failingConnections)(
    'behavior: while connections to PostgreSQL are $name, answers are 503 or right; then all goes on without a restart',
    async ({ name, refuses, fail }) => {
      const [refusals, answers] = [load.client.refusals(), load.client.answers()]
      const times = await fail(behind.proxy)
      const [refused, answered] = [load.client.refusals() - refusals, load.client.answers() - answers]
      await behind.proxy.set({ kind: 'pass' })

      expect(load.client.faults).toEqual([])
      if (refuses) expect(refused).toBeGreaterThan(0)
      reportFigure(
        5,
        `times, requests refused, and answered while connections to PostgreSQL are ${name}`,
        [times, refused, answered].join(', '),
      )
    },
  )

  test('behavior: after all that nothing is lost, half-written or done twice', {}, async () => {
    await isWellAgain()
    await load.stop()
    const { client, operations, created } = load
    expect(client.faults).toEqual([])
    const transactions = await load.expectIntact()
    reportFigure(5, 'slowest answer without a database', `${Math.round(client.slowest())} ms`)
    reportFigure(
      5,
      'operations through outages of the database, each once on chain, in transactions',
      [operations.length, transactions].join(', '),
    )
    reportFigure(5, 'users created through outages of the database, none lost', created.length)
  })
})

/** Each endpoint either needed no database or said, in its own status, that there is none. */
function expectRefusals(answers: readonly SweptAnswer[]): void {
  const refused = answers.filter(({ status }) => status !== 200)
  for (const { endpoint, status, code, body } of refused) {
    if (endpoint === 'system.health') continue
    expect({ endpoint, code, status }).toEqual({
      endpoint,
      code: 'DATABASE_UNAVAILABLE',
      status: statusOf(errorBody.parse(body).code, findEndpoint(endpoint)),
    })
  }
  expect(refused.length).toBeGreaterThan(answers.length / 2)
}
