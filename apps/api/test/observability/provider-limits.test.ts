/** @module-tag all */
import { rateLimit } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultyService, startFaultyService } from '../faults/faulty-service.ts'

const chainId = 31337

let service: FaultyService
beforeAll(async () => {
  service = await startFaultyService({ chainIds: [chainId], settings: { rpcTimeout: 900 } })
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('behavior: a rate limit is told apart from an outage in errors, health, metrics and the log', async () => {
  const { address } = await service.createWallet()
  await service.breakNetwork(chainId, { rules: [rateLimit({ status: 429 }, { retryAfter: '120' })] })
  const response = await fetch(`${service.service.url}/smart-account/transaction/build`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ network: String(chainId), walletAddress: address }),
  })
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ code: 'NETWORK_UNAVAILABLE', reason: 'PROVIDER_LIMIT' })
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(60)
  const { body } = await service.rest.get('/health')
  expect(body).toMatchObject({
    status: 'degraded',
    checks: { networks: [{ network: chainId, status: 'up', rateLimit: expect.any(Number) }] },
  })
  expect(body.checks.networks[0]).not.toHaveProperty('circuit')
  const { metrics: read } = service.service.services
  await read.text() // what was counted before the first reading shows in the second
  const metrics = await read.text()
  expect(metrics).toMatch(/lanyard_rpc_rate_limits_total\{network="31337",endpoint="1"\} [1-9]/)
  expect(metrics).toMatch(/lanyard_network_failures_total\{[^}]*code="PROVIDER_LIMIT"[^}]*\} [1-9]/)
  expect(service.logged).toContainEqual(
    expect.objectContaining({
      network: chainId,
      endpoint: 1,
      msg: expect.stringContaining('limits the number'),
    }),
  )
})
