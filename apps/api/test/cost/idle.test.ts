/** @module-tag all */
// @promise 19

import { setTimeout as delay } from 'node:timers/promises'
import type { TestDatabase } from '@lanyard/database/testing'
import { reportFigure } from '@lanyard/testing'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { usualPauses } from '../../src/app/workers/passes.ts'
import { type OrderService, startOrderService } from '../orders/order-service.ts'
import { recordStatements } from '../statements.ts'

const chainIds = [31337, 31338, 31339]

/** Seconds between two polls of the SmartBalance contract and its gas deposit. */
const interval = 15

const proxies = new Map<number, Awaited<ReturnType<typeof startRpcProxy>>>()
let service: OrderService
beforeAll(async () => {
  service = await startOrderService({
    engine: 'pglite',
    chainIds,
    pauses: usualPauses,
    startProxy: async ({ chainId, rpcUrl }) => {
      const proxy = await startRpcProxy(rpcUrl)
      proxies.set(chainId, proxy)
      return proxy
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

/** Counts the requests of an idle service, so that an increase is a deliberate decision. */
test('behavior: an idle service sends a network less than one request per block of 1 s', async () => {
  // The metrics show it too, but reading them requests balances from the networks.
  const { calls } = vi.spyOn(service.service.services.metrics, 'countPass').mock
  const tasks = chainIds.flatMap((network) => [`watch-${network}`, `top-up-${network}`])
  const untilPassed = (count: number) =>
    expect
      .poll(() => Math.min(...tasks.map((name) => calls.filter(([{ pass }]) => pass === name).length)))
      .toBeGreaterThanOrEqual(count)
  let passed = 0
  /** The requests to the busiest network during one poll of each task. */
  const period = async () => {
    for (const proxy of proxies.values()) proxy.take()
    service.advance(interval * 1_000)
    await untilPassed(++passed)
    return Math.max(...[...proxies.values()].map((proxy) => proxy.take().requests))
  }
  // The first polls still fill the gas deposit.
  await expect.poll(period).toBeLessThan(interval)
  reportFigure(19, 'RPC requests of an idle service to a network in 15 s', await period())
})

test('behavior: idle background work runs one or two statements per poll and writes nothing', async () => {
  const statements = recordStatements(service.database as TestDatabase)
  const began = performance.now()
  await delay(6_050) // a timer may fire early, and a poll fewer would then be allowed
  const executed = statements.take()
  // Each task polls every 3 s, however late it is. Statements per network: reconciliation 1, sponsorships 2, orders
  // and attestations 1 each, settlements 2, account logs 1. Webhooks: 1 in total.
  const polls = Math.ceil((performance.now() - began) / 3_000) + 1
  expect(executed.length).toBeLessThanOrEqual(polls * (8 * chainIds.length + 1))
  expect(executed.filter((text) => !text.trimStart().startsWith('select'))).toEqual([])
  reportFigure(19, 'SQL statements of an idle service in 6 s, on three networks', executed.length)
})
