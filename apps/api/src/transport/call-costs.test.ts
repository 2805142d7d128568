import { endpoints } from '@lanyard/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, ask, type HttpService, postJson, startHttpService } from '../../test/http-service.ts'

let service: HttpService
beforeAll(async () => {
  service = await startHttpService({
    RATE_LIMIT_COST: '100',
    TRUST_PROXY: '1',
    API_KEYS: 'server:a-secret-of-sixteen',
    ALLOW_ANONYMOUS: 'true',
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** Repeats a request until it is refused. No request costs so little that this takes longer. */
async function untilRejected(send: () => Promise<Answer>): Promise<{ refused: Answer; served: number }> {
  for (let served = 0; served < 400; served++) {
    const answer = await send()
    if (answer.status === 429) return { refused: answer, served }
  }
  throw new Error('never refused')
}

const from = (address: string) => ({ 'x-forwarded-for': address })
const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('error: RATE_LIMITED when an address has used its share; others are served', async () => {
  const large = { walletAddress: owner, network: '1', x: 'x'.repeat(250_000) }
  const send = (address: string) => () =>
    postJson(service.url + endpoints.smartAccount.gasFees.path, large, from(address))
  const { refused, served } = await untilRejected(send('203.0.113.1'))
  expect(refused.body).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(served).toBeGreaterThan(0)
  expect((await send('198.51.100.1')()).status).not.toBe(429)
})

test('error: RATE_LIMITED for every address of a network that has used its share', async () => {
  let last = 0
  const send = () =>
    postJson(
      service.url + endpoints.smartAccount.gasFees.path,
      { x: 'x'.repeat(250_000) },
      from(`192.0.2.${++last % 250}`),
    )
  const { served } = await untilRejected(send)
  expect(served).toBeGreaterThan(3)
})

test('behavior: gas that a node simulates is charged', async () => {
  const created = await postJson(
    service.url + endpoints.smartAccount.create.path,
    { eoaAddress: owner },
    from('203.0.114.1'),
  )
  const check = (signature: string, address: string) => () =>
    postJson(
      service.url + endpoints.message.check.path,
      {
        walletAddress: created.body.wallet.scw_address,
        network: String(service.node.chainId),
        message: 'a',
        signature,
      },
      from(address),
    )
  // 40 of 100 milliseconds each, whatever the factory that the signature names would have done.
  const { served } = await untilRejected(check(`0x${'00'.repeat(96)}${'6492'.repeat(16)}`, '203.0.115.1'))
  expect(served).toBeLessThanOrEqual(5)
})

test('behavior: a secret key may cost ten times as much as an address', async () => {
  const key = { 'x-api-key': 'a-secret-of-sixteen', ...from('203.0.116.1') }
  const send = (headers: Record<string, string>) => () =>
    postJson(service.url + endpoints.smartAccount.gasFees.path, { x: 'x'.repeat(250_000) }, headers)
  const { served } = await untilRejected(send(from('203.0.117.1')))
  const withKey = await untilRejected(send(key))
  expect(withKey.served).toBeGreaterThan(3 * served)
})

test('behavior: /health is counted, but costs nobody anything', async () => {
  const { refused } = await untilRejected(() =>
    postJson(
      service.url + endpoints.smartAccount.gasFees.path,
      { x: 'x'.repeat(250_000) },
      from('203.0.118.1'),
    ),
  )
  expect(refused.status).toBe(429)
  expect((await ask(`${service.url}/health`, { headers: from('203.0.118.1') })).status).toBe(200)
})

test('error: PAYLOAD_TOO_LARGE by its length, before a byte of the body is read', async () => {
  const { status, body } = await postJson(
    service.url + endpoints.smartAccount.gasFees.path,
    `"${'x'.repeat(256 * 1024)}`, // not even JSON
    from('203.0.119.1'),
  )
  expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
})
