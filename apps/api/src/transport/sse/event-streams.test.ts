import { publishEvents, readLastPosition } from '@lanyard/database'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ask, type HttpService, postJson, serveApp, startHttpService } from '../../../test/http-service.ts'
import { createApiKey, revokeApiKey } from '../../domain/accounts/api-keys/manage-api-keys.ts'
import { createEventStreams } from '../../domain/events/streams/event-streams.ts'
import { streamLimits } from '../../domain/events/streams/stream-slots.ts'

let service: HttpService
let alice: string
let bob: string
beforeAll(async () => {
  service = await startHttpService({ API_KEYS: 'server:a-secret-of-sixteen' })
  const create = async (eoaAddress: string): Promise<string> => {
    const { body } = await postJson(`${service.url}/smart-account/create`, { eoaAddress }, secret)
    return body.wallet.scw_address
  }
  alice = await create('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  bob = await create('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')
})
afterAll(() => service?.[Symbol.asyncDispose]())

const secret = { 'x-api-key': 'a-secret-of-sixteen' }

const publish = (account: string, type: string) =>
  service.database.db
    .insertInto('events')
    .values({ type, account: account.toLowerCase(), network: 1, data: '{}', position: null })
    .execute()

/** Opens a stream; `next` returns its next event. */
async function listen(query = '', headers: Record<string, string> = {}) {
  const stop = new AbortController()
  const response = await fetch(`${service.url}/events${query}`, {
    headers: { ...secret, ...headers },
    signal: stop.signal,
  })
  const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    response,
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const lines = text.slice(0, end).split('\n')
          text = text.slice(end + 2)
          const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s)))
          if (fields.id !== undefined) return { ...fields, message: JSON.parse(fields.data) }
          continue
        }
        const { value, done } = (await chunks?.read()) ?? { done: true }
        if (done) throw new Error('the stream has ended')
        text += value
      }
    },
    [Symbol.asyncDispose]: async () => stop.abort(),
  }
}

test('default: the stream delivers the events of one account as they happen', async () => {
  await using stream = await listen(`?walletAddress=${alice}`)
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  await publish(bob, 'operation.included')
  await publish(alice, 'operation.included')
  await publish(alice, 'operation.final')
  expect(await stream.next()).toMatchObject({
    event: 'operation.included',
    message: { data: { account: alice } },
  })
  expect(await stream.next()).toMatchObject({
    event: 'operation.final',
    message: { type: 'operation.final' },
  })
})

test('behavior: a client that reconnects with the last id misses nothing', async () => {
  await using stream = await listen(`?walletAddress=${alice}`)
  await publish(alice, 'operation.included')
  const first = await stream.next()
  await stream[Symbol.asyncDispose]()
  for (const type of ['operation.reorged', 'operation.dropped']) await publish(alice, type)
  await publishEvents(service.database.db, new Date())
  for (const again of [
    listen(`?walletAddress=${alice}`, { 'last-event-id': first.id }),
    listen(`?walletAddress=${alice}&lastEventId=${first.id}`),
  ]) {
    await using later = await again
    expect([(await later.next()).event, (await later.next()).event]).toEqual([
      'operation.reorged',
      'operation.dropped',
    ])
  }
})

test('behavior: a secret key receives the events of all accounts', async () => {
  await using stream = await listen()
  await publish(bob, 'operation.final')
  await publish(alice, 'operation.final')
  expect((await stream.next()).message.data.account).toBe(bob)
  expect((await stream.next()).message.data.account).toBe(alice)
})

test('behavior: a stream without a last id starts with the next event', async () => {
  await publish(alice, 'operation.included')
  await publishEvents(service.database.db, new Date())
  const last = await readLastPosition(service.database.db)
  await using stream = await listen(`?walletAddress=${alice}`)
  await publish(alice, 'operation.final')
  expect(Number((await stream.next()).id)).toBeGreaterThan(last)
})

test('error: callers without access and malformed requests are rejected', async () => {
  const url = `${service.url}/events`
  const status = async (query: string, headers: Record<string, string> = secret) => {
    const response = await fetch(`${url}${query}`, { headers })
    const { code } = (await response.json()) as { code: string }
    return [response.status, code]
  }
  expect(await status('', {})).toEqual([401, 'UNAUTHORIZED'])
  expect(await status(`?walletAddress=${alice}`, {})).toEqual([401, 'UNAUTHORIZED'])
  expect(await status('?walletAddress=0x12')).toEqual([400, 'INVALID_INPUT'])
  expect(await status(`?walletAddress=0x${'9'.repeat(40)}`)).toEqual([404, 'UNKNOWN_WALLET'])
  expect(await status(`?walletAddress=${alice}`, { ...secret, 'last-event-id': 'x' })).toEqual([
    400,
    'INVALID_INPUT',
  ])
  expect((await postJson(url, {}, secret)).status).toBe(405)
})

test('error: RATE_LIMITED beyond the streams of one address; a closed stream frees a slot', async () => {
  await using open = await startHttpService()
  const { body } = await postJson(`${open.url}/smart-account/create`, {
    eoaAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  const url = `${open.url}/events?walletAddress=${body.wallet.scw_address}`
  const stops = await Promise.all(
    Array.from({ length: streamLimits.address }, async () => {
      const stop = new AbortController()
      expect((await fetch(url, { signal: stop.signal })).status).toBe(200)
      return stop
    }),
  )
  const rejected = await ask(url)
  expect([rejected.status, rejected.body.code]).toEqual([429, 'RATE_LIMITED'])
  for (const stop of stops) stop.abort()
  await expect
    .poll(async () => {
      const stop = new AbortController()
      const { status } = await fetch(url, { signal: stop.signal })
      stop.abort()
      return status
    })
    .toBe(200)
})

test('behavior: a stream ends when its key is revoked, over both transports', async () => {
  const { db } = service.database
  const { id, key } = await createApiKey(db, { kind: 'secret', name: 'leaked', origins: [] }, new Date())
  const headers = { 'x-api-key': key }
  // `api-keys.test.ts` shows that it takes two seconds at most.
  const opened = await Promise.all(
    ['/events', '/trpc/events.listen'].map((path) => fetch(service.url + path, { headers })),
  )
  expect(opened.map(({ status }) => status)).toEqual([200, 200])
  const reading = opened.map((response) => response.text())
  await using other = await listen()
  await revokeApiKey(db, id, new Date())
  await Promise.all(reading)
  await publish(alice, 'operation.final')
  expect((await other.next()).event).toBe('operation.final')
})

test('behavior: an open stream is not charged for what others do, and takes no slot', async () => {
  const { services } = service.service
  const { callCosts } = services
  const paused = vi.fn()
  await using served = await serveApp({
    ...services,
    callCosts: {
      ...callCosts,
      begin(call) {
        const started = callCosts.begin(call)
        const pause = () => {
          paused()
          return started.meter.pause()
        }
        return { ...started, meter: { ...started.meter, pause } }
      },
    },
  })
  const stop = new AbortController()
  await fetch(`${served.url}/events`, { headers: secret, signal: stop.signal })
  expect(paused).toHaveBeenCalledOnce()
  stop.abort()
})

test('error: RATE_LIMITED ends a stream that has sent what its caller may use, over both transports', async () => {
  await using own = await startHttpService({ RATE_LIMIT_COST: '100', TRUST_PROXY: '1' })
  const { body } = await postJson(`${own.url}/smart-account/create`, {
    eoaAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  const walletAddress: string = body.wallet.scw_address
  const { db } = own.database
  // 20 milliseconds each; an answer of any size that is charged at its end costs 100 at most.
  const data = JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) })
  const event = { type: 'operation.final', account: walletAddress.toLowerCase(), network: 1, position: null }
  for (let count = 0; count < 12; count++)
    await db
      .insertInto('events')
      .values({ ...event, data })
      .execute()
  await publishEvents(db, new Date())
  const input = encodeURIComponent(JSON.stringify({ walletAddress, lastEventId: '0' }))
  const paths = [`/events?walletAddress=${walletAddress}&lastEventId=0`, `/trpc/events.listen?input=${input}`]
  for (const [index, path] of paths.entries()) {
    const headers = { 'x-forwarded-for': `203.0.${index}.7` }
    const response = await fetch(own.url + path, { headers })
    const text = await response.text()
    const sent = text.split('"type":"operation.final"').length - 1
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThan(12)
    expect(text.slice(-1_000)).toContain('RATE_LIMITED')
    expect((await ask(`${own.url}/networks`, { headers })).status).toBe(429)
  }
})

test('behavior: streams end when the service closes', async () => {
  const own = await startHttpService()
  const response = await fetch(`${own.url}/events`)
  const reading = response.text()
  await own[Symbol.asyncDispose]()
  expect(await reading).toContain('retry: 1000')
})

test('behavior: when all slots are taken, the oldest stream of the caller with the most streams is closed', async () => {
  const { services } = service.service
  const limits = { address: 10, key: 100, addresses: 3, all: 4 }
  await using served = await serveApp({
    ...services,
    // With a trusted proxy each request can set its own address.
    env: { ...services.env, TRUST_PROXY: 1 },
    eventStreams: createEventStreams(services, limits),
    apiKeys: { ...services.apiKeys, needed: async () => false },
  })
  const open = (address: string) =>
    fetch(`${served.url}/events?walletAddress=${alice}`, { headers: { 'x-forwarded-for': address } })
  const [oldest, , third] = [
    await open('198.51.100.1'),
    await open('198.51.100.2'),
    await open('198.51.100.3'),
  ]
  expect(third.status).toBe(200)
  const other = await open('203.0.113.7')
  expect(other.status).toBe(200)
  expect(await oldest.text()).toBe('retry: 1000\n\n') // the stream has ended
  expect((await open('198.51.100.1')).status).toBe(429)
})
