/** @module-tag all */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/domain/accounts/api-keys/create-api-key.ts'
import { createRpcGate } from '../cost/rpc-gate.ts'
import { ask } from '../http-service.ts'
import { type OrderService, startOrderService } from '../orders/order-service.ts'
import { Authenticator } from '../passkeys/authenticator.ts'

const chainIds = [31337, 31338] as const
const page = 'http://localhost:3000'

/** As the documentation gives them. */
const readsOfAnAddress = 300
const checksOfAnAddress = 600
const attacks = 1_000

const gate = createRpcGate()
let service: OrderService
let key: string
let victim: { readonly address: string; readonly token: string }
beforeAll(async () => {
  service = await startOrderService({
    chainIds,
    startProxy: gate.startProxy,
    // Answers are shared for the whole test, so that the bound does not depend on a clock.
    environment: { RATE_LIMITS: 'on', READ_CACHE: '60000', TRUST_PROXY: '1' },
  })
  const named = 'username=victim'
  const passkey = new Authenticator(page)
  const options = await service.rest.get(`/v3/webauthn/register/generate-options?${named}`)
  const { body } = await service.rest.post(
    `/v3/webauthn/register/verify?${named}`,
    passkey.create(options.body),
  )
  victim = { address: body.wallet.scw_address, token: body.token }
  const { db } = service.database
  key = (await createApiKey(db, { kind: 'publishable', name: 'app', origins: [page] }, new Date())).key
  // The service remembers for two seconds that no keys are needed.
  while ((await service.rest.get('/networks')).status !== 401) await delay(100)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const get = (path: string, address: string, headers: Record<string, string> = {}) =>
  ask(service.service.url + path, {
    headers: { 'x-api-key': key, origin: page, 'x-forwarded-for': address, ...headers },
  })

/** A thousand calls of one path by one address, 20 at a time; answers how many got which status. */
async function attack(path: string, address: string): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  let left = attacks
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      while (left-- > 0) {
        const { status } = await get(path, address)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }),
  )
  return statuses
}

/** RPC requests at most of one read on one network: native balance, code, token, final block, its number, owners. */
const requestsOfARead = 6

describe('a thousand calls of a costly read by a publishable key from one address', () => {
  test.each([
    ['wallet.balances', '/wallet/balances?walletAddress=', '198.51.100.1'],
    ['smartBalance.getBalance', '/v3/smartbalance/getbalance?walletAddress=', '198.51.100.2'],
    ['smartBalance.deposits', '/v3/smartbalance/deposits?walletAddress=', '198.51.100.3'],
    ['wallet.transfers', '/wallet/transfers?walletAddress=', '198.51.100.4'],
    ['owner.recoveryKit', '/smart-account/owner/recovery-kit?walletAddress=', '198.51.100.5'],
  ])(
    'behavior: %s makes a bounded number of RPC requests, and other callers do not notice',
    async (_name, path, address) => {
      const quiet = await get(path + victim.address, '203.0.113.1')
      expect(quiet.status).toBe(200)
      gate.take(victim.address)
      const [statuses, others] = await Promise.all([
        attack(path + victim.address, address),
        Promise.all(Array.from({ length: 10 }, () => get(path + victim.address, '203.0.113.1'))),
      ])
      expect(statuses).toEqual({ 200: readsOfAnAddress, 429: attacks - readsOfAnAddress })
      const asked = gate.take(victim.address).flatMap(({ requests }) => requests)
      expect(asked.length).toBeLessThanOrEqual(chainIds.length * requestsOfARead)
      for (const other of others) expect([other.status, other.body]).toEqual([200, quiet.body])
    },
  )

  test('behavior: checks of /health query each network once, and have a bucket of their own', async () => {
    const address = '198.51.100.6'
    expect((await get('/health', '203.0.113.1')).status).toBe(200)
    gate.take('')
    const statuses = await attack('/health', address)
    expect(statuses).toEqual({ 200: checksOfAnAddress, 429: attacks - checksOfAnAddress })
    // Workers look at the chains meanwhile; without sharing there would be a request a check and network.
    expect(gate.take('').length).toBeLessThan(checksOfAnAddress)
    expect((await get('/health', '203.0.113.1')).status).toBe(200)
    expect((await get('/networks', address)).status).toBe(200)
  })

  test('behavior: JSON-RPC counts each call of a batch', async () => {
    const batch = Array.from({ length: 10 }, (_, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'eth_getUserOperationReceipt', params: [`0x${'00'.repeat(32)}`] },
    }))
    const statuses: Record<number, number> = {}
    for (let sent = 0; sent < readsOfAnAddress / batch.length + 5; sent++) {
      const { status } = await ask(`${service.service.url}/rpc/31337`, {
        method: 'POST',
        headers: {
          ...{ 'x-api-key': key, origin: page, 'x-forwarded-for': '198.51.100.8' },
          'content-type': 'application/json',
        },
        body: JSON.stringify(batch),
      })
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    expect(statuses).toEqual({ 200: readsOfAnAddress / batch.length, 429: 5 })
  })

  test('behavior: different accounts cost no more than the bucket allows', async () => {
    const address = '198.51.100.7'
    const accounts = Array.from({ length: 400 }, (_, index) => `0x${String(index).padStart(40, '5')}`)
    gate.take('')
    const answers = []
    for (let first = 0; first < accounts.length; first += 20) {
      const some = accounts.slice(first, first + 20)
      answers.push(
        ...(await Promise.all(
          some.map((one) => get(`/v3/smartbalance/getbalance?walletAddress=${one}`, address)),
        )),
      )
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(readsOfAnAddress)
    const trips = gate.take('').filter(({ requests }) => JSON.stringify(requests).includes('5'.repeat(37)))
    expect(trips.length).toBeLessThanOrEqual(readsOfAnAddress * chainIds.length)
  })
})

test("behavior: one caller's private data is in nobody else's answer", async () => {
  const path = `/smart-account/owner/recovery-kit?walletAddress=${victim.address}`
  const own = await get(path, '203.0.113.2', { authorization: `Bearer ${victim.token}` })
  const foreign = await get(path, '203.0.113.2')
  expect(own.body.credentialIds).toHaveLength(1)
  const { credentialIds: _, ...rest } = own.body
  expect(foreign.body).toEqual(rest)
})
