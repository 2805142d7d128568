/** @module-tag all */
/** @module-tag first */
// @promise 10 24 B.18
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/domain/accounts/api-keys/manage-api-keys.ts'
import { createRpcGate } from '../cost/rpc-gate.ts'
import { ask } from '../http-service.ts'
import { type OrderService, startOrderService } from '../orders/order-service.ts'
import { Authenticator } from '../passkeys/authenticator.ts'

const chainIds = [31337, 31338] as const
const page = 'http://localhost:3000'

/** The documented limits. */
const readsPerAddress = 300
const checksPerAddress = 600
/** Calls beyond the limit. Each is refused before it reads anything, so more of them show nothing more. */
const rejectedCalls = 20

const gate = createRpcGate()
let service: OrderService
let key: string
let victim: { readonly address: string; readonly token: string }
beforeAll(async () => {
  service = await startOrderService({
    chainIds,
    startProxy: gate.startProxy,
    // Workers read the chains too, for the ledger of the victim among others.
    environment: { RATE_LIMITS: 'on', READ_CACHE: '60000', TRUST_PROXY: '1', ROLES: 'api' },
  })
  const query = 'username=victim'
  const passkey = new Authenticator(page)
  const options = await service.rest.get(`/v3/webauthn/register/generate-options?${query}`)
  const { body } = await service.rest.post(
    `/v3/webauthn/register/verify?${query}`,
    passkey.create(options.body),
  )
  victim = { address: body.wallet.scw_address, token: body.token }
  const { db } = service.database
  key = (await createApiKey(db, { kind: 'publishable', name: 'app', origins: [page] }, new Date())).key
  // The service caches for two seconds that no key is needed.
  while ((await service.rest.get('/networks')).status !== 401) await delay(100)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const get = (path: string, address: string, headers: Record<string, string> = {}) =>
  ask(service.service.url + path, {
    headers: { 'x-api-key': key, origin: page, 'x-forwarded-for': address, ...headers },
  })

/** The number of answers per status. */
type Statuses = Record<number, number>

function count(statuses: Statuses, status: number) {
  statuses[status] = (statuses[status] ?? 0) + 1
}

interface Attack {
  readonly statuses: Statuses
  /** Windows of the limit that can have begun meanwhile: more than one only on a busy machine. */
  readonly windows: number
}

/** The first call of an address begins its first window of 60 seconds. */
const windowsSince = (began: number) => 1 + Math.floor((performance.now() - began) / 60_000)

/** Expects that no more calls were answered than the limit allows, and that all others were refused. */
function expectLimited({ statuses, windows }: Attack, limit: number, calls: number) {
  const answered = statuses[200] ?? 0
  expect(answered).toBeGreaterThanOrEqual(limit)
  expect(answered).toBeLessThanOrEqual(limit * windows)
  expect(statuses).toEqual({ 200: answered, ...(answered < calls && { 429: calls - answered }) })
}

/** Sends calls of one path from one address, 20 at a time. */
async function attack(path: string, address: string, calls: number): Promise<Attack> {
  const statuses: Statuses = {}
  const began = performance.now()
  let left = calls
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      while (left-- > 0) {
        const { status } = await get(path, address)
        count(statuses, status)
      }
    }),
  )
  return { statuses, windows: windowsSince(began) }
}

/**
 * The most RPC requests that one read sends to one network: native balance, code, token, final block, its number,
 * owners.
 */
const maxRequestsPerRead = 6

describe('hundreds of calls of a costly read with a publishable key from one address', () => {
  test.each([
    ['wallet.balances', '/wallet/balances?walletAddress=', '198.51.100.1'],
    ['smartBalance.getBalance', '/v3/smartbalance/getbalance?walletAddress=', '198.51.100.2'],
    ['smartBalance.deposits', '/v3/smartbalance/deposits?walletAddress=', '198.51.100.3'],
    ['wallet.transfers', '/wallet/transfers?walletAddress=', '198.51.100.4'],
    ['owner.recoveryKit', '/smart-account/owner/recovery-kit?walletAddress=', '198.51.100.5'],
  ])(
    'behavior: %s makes a bounded number of RPC requests and does not affect other callers',
    async (_name, path, address) => {
      const baseline = await get(path + victim.address, '203.0.113.1')
      expect(baseline.status).toBe(200)
      gate.take(victim.address)
      const [attacked, others] = await Promise.all([
        attack(path + victim.address, address, readsPerAddress + rejectedCalls),
        Promise.all(Array.from({ length: 10 }, () => get(path + victim.address, '203.0.113.1'))),
      ])
      expectLimited(attacked, readsPerAddress, readsPerAddress + rejectedCalls)
      const requests = gate.take(victim.address).flatMap((sent) => sent.requests)
      // The cache lives as long as a window.
      expect(requests.length).toBeLessThanOrEqual(attacked.windows * chainIds.length * maxRequestsPerRead)
      for (const other of others) expect([other.status, other.body]).toEqual([200, baseline.body])
    },
  )

  test('behavior: /health queries each network once and has its own rate limit', async () => {
    const address = '198.51.100.6'
    expect((await get('/health', '203.0.113.1')).status).toBe(200)
    gate.take('')
    const calls = checksPerAddress + rejectedCalls
    expectLimited(await attack('/health', address, calls), checksPerAddress, calls)
    // Workers also read the chains. Without the cache, each check would send one request per network.
    expect(gate.take('').length).toBeLessThan(checksPerAddress)
    expect((await get('/health', '203.0.113.1')).status).toBe(200)
    expect((await get('/networks', address)).status).toBe(200)
  })

  test('behavior: JSON-RPC counts each call of a batch', async () => {
    const batch = Array.from({ length: 10 }, (_, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'eth_getUserOperationReceipt', params: [`0x${'00'.repeat(32)}`] },
    }))
    const statuses: Statuses = {}
    const began = performance.now()
    const batches = readsPerAddress / batch.length
    for (let sent = 0; sent < batches + 5; sent++) {
      const { status } = await ask(`${service.service.url}/rpc/31337`, {
        method: 'POST',
        headers: {
          ...{ 'x-api-key': key, origin: page, 'x-forwarded-for': '198.51.100.8' },
          'content-type': 'application/json',
        },
        body: JSON.stringify(batch),
      })
      count(statuses, status)
    }
    expectLimited({ statuses, windows: windowsSince(began) }, batches, batches + 5)
  })

  test('behavior: reads of many accounts cannot exceed the rate limit', async () => {
    const address = '198.51.100.7'
    const accounts = Array.from({ length: 400 }, (_, index) => `0x${String(index).padStart(40, '5')}`)
    gate.take('')
    const statuses: Statuses = {}
    const began = performance.now()
    for (let first = 0; first < accounts.length; first += 20) {
      const some = accounts.slice(first, first + 20)
      await Promise.all(
        some.map(async (one) => {
          const { status } = await get(`/v3/smartbalance/getbalance?walletAddress=${one}`, address)
          count(statuses, status)
        }),
      )
    }
    const attacked = { statuses, windows: windowsSince(began) }
    expectLimited(attacked, readsPerAddress, accounts.length)
    const sent = gate.take('').filter(({ requests }) => JSON.stringify(requests).includes('5'.repeat(37)))
    expect(sent.length).toBeLessThanOrEqual(readsPerAddress * attacked.windows * chainIds.length)
  })
})

test("behavior: an answer never contains another caller's private data", async () => {
  const path = `/smart-account/owner/recovery-kit?walletAddress=${victim.address}`
  const own = await get(path, '203.0.113.2', { authorization: `Bearer ${victim.token}` })
  const external = await get(path, '203.0.113.2')
  expect(own.body.credentialIds).toHaveLength(1)
  const { credentialIds: _, ...rest } = own.body
  expect(external.body).toEqual(rest)
})
