// @promise 10
import { expect, test } from 'vitest'
import { ask, postJson, startHttpService } from '../../test/http-service.ts'

const secret = 'a-secret-of-32-characters-xxxxxx'
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('default: calls beyond the limit answer 429, and headers show the limit', async () => {
  await using service = await startHttpService({ RATE_LIMIT_CALLS: '3' })
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(await ask(`${service.url}/networks`))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  const [first, , , last] = answers
  expect(first?.headers.get('ratelimit-policy')).toBe('"calls";q=3;w=60')
  expect(first?.headers.get('ratelimit')).toMatch(/^"calls";r=2;t=\d+$/)
  expect(last?.headers.get('ratelimit')).toMatch(/^"calls";r=0;t=\d+$/)
  const retryAfter = Number(last?.headers.get('retry-after'))
  expect(retryAfter).toBeGreaterThan(0)
  expect(retryAfter).toBeLessThanOrEqual(60)
  expect(last?.body).toMatchObject({ code: 'RATE_LIMITED', retryAfter })

  // tRPC uses the same counter.
  const trpc = await ask(`${service.url}/trpc/system.networks`)
  expect(trpc.status).toBe(429)
  expect(trpc.headers.get('retry-after')).not.toBeNull()
  expect(trpc.body.error.data).toMatchObject({ code: 'RATE_LIMITED', httpStatus: 429 })

  // Health checks have their own counter.
  const health = await ask(`${service.url}/health`)
  expect([health.status, health.headers.get('ratelimit-policy')]).toEqual([200, '"health";q=1000000;w=60'])
})

test('behavior: every call of a batch counts', async () => {
  await using service = await startHttpService({ RATE_LIMIT_CALLS: '5' })
  const names = ['a', 'b', 'c'].map(() => 'system.networks').join(',')
  const batch = () => ask(`${service.url}/trpc/${names}?batch=1&input=%7B%7D`)
  expect((await batch()).headers.get('ratelimit')).toContain('"calls";r=2')
  expect((await batch()).status).toBe(429)
})

test('behavior: expensive calls have lower limits, checked before anything is read', async () => {
  await using service = await startHttpService({
    RATE_LIMIT_CALLS: '100',
    RATE_LIMIT_READS: '1',
    RATE_LIMIT_BUILDS: '1',
    RATE_LIMIT_CEREMONIES: '1',
    RATE_LIMIT_HEALTH: '1',
  })
  const { url } = service
  const build = () => postJson(`${url}/smart-account/transaction/build`, '{')
  const answered = await build()
  expect(answered.status).toBe(400)
  expect(answered.headers.get('ratelimit-policy')).toBe('"calls";q=100;w=60, "builds";q=1;w=60')
  expect((await build()).status).toBe(429)
  expect((await postJson(`${url}/trpc/smartAccount.gasFees`, '{')).status).toBe(429)
  const register = () => ask(`${url}/v3/webauthn/register/generate-options?username=alice`)
  expect([(await register()).status, (await register()).status]).toEqual([200, 429])
  const balance = () => ask(`${url}/v3/smartbalance/getbalance?walletAddress=0x`)
  expect([(await balance()).status, (await balance()).status]).toEqual([400, 429])
  expect([(await ask(`${url}/health`)).status, (await ask(`${url}/health`)).status]).toEqual([200, 429])
  expect((await ask(`${url}/networks`)).status).toBe(200)
})

test('behavior: a key has its own larger limit, and guesses of keys are limited', async () => {
  await using service = await startHttpService({
    API_KEYS: `web:${secret}`,
    RATE_LIMIT_CALLS: '2',
    RATE_LIMIT_KEY_FACTOR: '2',
  })
  const guess = () => ask(`${service.url}/networks`, { headers: { 'x-api-key': 'guess' } })
  const statuses = [await guess(), await guess(), await guess()].map(({ status }) => status)
  expect(statuses).toEqual([401, 401, 429])
  const known = () => ask(`${service.url}/networks`, { headers: { 'x-api-key': secret } })
  const answers = [await known(), await known(), await known(), await known(), await known()]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
})

test('behavior: X-Forwarded-For is ignored unless a proxy is trusted', async () => {
  await using service = await startHttpService({ RATE_LIMIT_CALLS: '1' })
  expect((await ask(`${service.url}/networks`, from('203.0.113.1'))).status).toBe(200)
  expect((await ask(`${service.url}/networks`, from('203.0.113.2'))).status).toBe(429)
})

test('behavior: with TRUST_PROXY the address from the last proxy counts', async () => {
  await using service = await startHttpService({ RATE_LIMIT_CALLS: '1', TRUST_PROXY: '1' })
  const status = async (forwarded: string) => (await ask(`${service.url}/networks`, from(forwarded))).status
  expect(await status('203.0.113.1')).toBe(200)
  expect(await status('203.0.113.1')).toBe(429)
  expect(await status('198.51.100.9, 203.0.113.1')).toBe(429) // a client can put any address in front of it
  expect(await status('203.0.113.2')).toBe(200)
})

test('behavior: RATE_LIMITS=off counts nothing', async () => {
  await using service = await startHttpService({ RATE_LIMITS: 'off', RATE_LIMIT_CALLS: '1' })
  const answers = [await ask(`${service.url}/networks`), await ask(`${service.url}/networks`)]
  expect(answers.map(({ status, headers }) => [status, headers.get('ratelimit')])).toEqual([
    [200, null],
    [200, null],
  ])
})
