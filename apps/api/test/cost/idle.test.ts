import { setTimeout as delay } from 'node:timers/promises'
import type { TestDatabase } from '@lanyard/database/testing'
import { reportFigure } from '@lanyard/testing'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type OrderService, startOrderService } from '../orders/order-service.ts'
import { recordStatements } from '../statements.ts'

const chainIds = [31337, 31338, 31339]

/** Seconds between polls of SmartBalance: its contract, and its gas deposit. */
const interval = 15

const proxies = new Map<number, Awaited<ReturnType<typeof startRpcProxy>>>()
let service: OrderService
beforeAll(async () => {
  service = await startOrderService({
    chainIds,
    startProxy: async ({ chainId, rpcUrl }) => {
      const proxy = await startRpcProxy(rpcUrl)
      proxies.set(chainId, proxy)
      return proxy
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

/** Counts of what leaves a service that nobody uses: a rise is a decision, not an accident. */
test('behavior: an idle network is asked less than once for each block of 1 s', async () => {
  // The metrics would show it, too; reading them asks the networks for balances.
  const { calls } = vi.spyOn(service.service.services.metrics, 'countPass').mock
  const timed = chainIds.flatMap((network) => [`watch-${network}`, `top-up-${network}`])
  const untilPassed = (count: number) =>
    expect
      .poll(() => Math.min(...timed.map((name) => calls.filter(([{ pass }]) => pass === name).length)), {
        timeout: 30_000,
      })
      .toBeGreaterThanOrEqual(count)
  let passed = 0
  /** Requests to the busiest network while each looks once more. */
  const period = async () => {
    for (const proxy of proxies.values()) proxy.take()
    service.advance(interval * 1_000)
    await untilPassed(++passed)
    return Math.max(...[...proxies.values()].map((proxy) => proxy.take().requests))
  }
  // The first ones still fill the gas deposit.
  await expect.poll(period, { timeout: 60_000 }).toBeLessThan(interval)
  reportFigure(19, 'RPC requests of an idle service to a network in 15 s', await period())
})

test('behavior: idle background work asks one or two statements a look, and writes nothing', async () => {
  const statements = recordStatements(service.database as TestDatabase) // startOrderService opens one unless it is given one
  const began = performance.now()
  await delay(6_000)
  const asked = statements.take()
  // Each looks every 3 s, however late it is: reconciliation 1, sponsorships 2, orders and attestations 1 each,
  // settlements 2, logs of accounts 1, on each network, and webhooks 1.
  const looks = Math.ceil((performance.now() - began) / 3_000) + 1
  expect(asked.length).toBeLessThanOrEqual(looks * (8 * chainIds.length + 1))
  expect(asked.filter((text) => !text.trimStart().startsWith('select'))).toEqual([])
  reportFigure(19, 'SQL statements of an idle service in 6 s, on three networks', asked.length)
})
