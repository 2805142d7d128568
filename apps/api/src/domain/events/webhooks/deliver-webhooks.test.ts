// @promise 3
import { createSecretKey } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describeEachEngine, freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { randomAddress, randomBytes, randomInteger, reportFigure } from '@lanyard/testing'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverWebhooks, hasWebhookWork } from './deliver-webhooks.ts'
import { postWebhook } from './post-webhook.ts'
import { listDeliveries, redeliver } from './webhook-deliveries.ts'
import type { WebhookDependencies } from './webhook-dependencies.ts'
import {
  createWebhookEndpoint,
  disableWebhooksOfKey,
  enableWebhookEndpoint,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  rotateWebhookSecret,
} from './webhook-endpoints.ts'
import { requestWebhookTest } from './webhook-tests.ts'

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly message: { type: string; data: { account: string; number: number }; gap?: { missed: number } }
}

const hour = 60 * 60_000
const log = pino({ level: 'silent' })
const encryptionKey = createSecretKey(randomBytes(32))

describeEachEngine('webhooks', (engine) => {
  let database: TestDatabase
  let url: string
  const received: Received[] = []
  /** The status that the receiver answers. */
  let answer: (request: Received) => number = () => 200
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { headers, url: path = '' } = request
    const got = { path, headers, body, message: JSON.parse(body) }
    received.push(got)
    response.writeHead(answer(got)).end('received')
  })
  beforeAll(async () => {
    database = await freshDatabase(engine)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.close()
    await database?.[Symbol.asyncDispose]()
  })

  /** Creates endpoints, a clock and a delivering process, without data of earlier tests. */
  async function begin() {
    const { db } = database
    await db.deleteFrom('webhook_endpoints').execute()
    await db.deleteFrom('events').execute()
    received.length = 0
    answer = () => 200
    let time = Date.now()
    const now = () => new Date(time)
    const post = (request: Parameters<typeof postWebhook>[0]) => postWebhook(request, { isLocal: true })
    const dependencies: WebhookDependencies = { database: db, now, log, post, encryptionKey }
    return {
      db,
      now,
      dependencies,
      pass: (by = dependencies) => deliverWebhooks(by),
      wait: (milliseconds: number) => {
        time += milliseconds
      },
      add: (path = '/hook', more: { types?: string[]; accounts?: string[] } = {}) =>
        createWebhookEndpoint(
          db,
          { keyName: 'server', url: `${url}${path}`, types: [], accounts: [], ...more },
          { isLocal: true, encryptionKey, now: now() },
        ),
      async publish(account: string, count = 1, type = 'operation.included') {
        for (let number = 0; number < count; number++) {
          const data = JSON.stringify({ number })
          await db.insertInto('events').values({ type, account, network: 1, data, position: null }).execute()
        }
      },
    }
  }
  const numbersOf = (account: string) =>
    received
      .filter(({ message }) => message.data.account.toLowerCase() === account)
      .map(({ message }) => message.data.number)
  const someone = () => randomAddress().toLowerCase()

  test('default: a delivery is signed by the scheme of Standard Webhooks and recorded', async () => {
    const { add, publish, pass, db, dependencies } = await begin()
    const { id, secret } = await add()
    const account = someone()
    await publish(account)
    expect(await hasWebhookWork(dependencies)).toBe(true)
    await pass()
    expect(await hasWebhookWork(dependencies)).toBe(false)
    const [got] = received
    expect(received).toHaveLength(1)
    const verified = new Webhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>)
    expect(verified).toMatchObject({ type: 'operation.included', data: { network: '1', number: 0 } })
    expect(() =>
      new Webhook(secret).verify(`${got?.body} `, got?.headers as Record<string, string>),
    ).toThrow()
    const [delivery] = await listDeliveries(db, id, { limit: 10 })
    expect(delivery).toMatchObject({ state: 'delivered', status: 200, answer: 'received', attempts: 1 })
    expect(got?.headers['webhook-id']).toBe(`evt_${delivery?.position}`)
    await pass()
    expect(received).toHaveLength(1)
  })

  test('behavior: a test that somebody asked for is sent once, by one of two processes, also while the endpoint is disabled', async () => {
    const { add, pass, db, dependencies, now } = await begin()
    const { id, secret } = await add()
    await db
      .updateTable('webhook_endpoints')
      .set({ disabled_at: now(), disabled_reason: 'OPERATOR' })
      .execute()
    answer = () => 503
    const ask = () => db.transaction().execute((transaction) => requestWebhookTest(transaction, id, now()))
    expect(await ask()).toBe(true)
    expect(await ask()).toBe(false)
    expect(await hasWebhookWork(dependencies)).toBe(true)
    await Promise.all([pass(), pass()])
    expect(received).toHaveLength(1)
    const [got] = received
    expect(new Webhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>)).toMatchObject(
      {
        type: 'webhook.test',
        data: { endpoint: id },
      },
    )
    expect(await db.selectFrom('webhook_tests').selectAll().execute()).toMatchObject([
      { endpoint_id: id, status: 503, answer: 'received', answered_at: now() },
    ])
    expect(await hasWebhookWork(dependencies)).toBe(false)
    expect(await db.selectFrom('webhook_endpoints').select('failures').execute()).toEqual([{ failures: 0 }])
    expect(await ask()).toBe(true)
    await removeWebhookEndpoint(db, id)
  })

  test('behavior: each endpoint gets its types and accounts from its creation on', async () => {
    const { add, publish, pass } = await begin()
    const [a, b] = [someone(), someone()]
    await publish(a)
    await add('/early') // the worker has not published the event yet, but it happened before
    await pass()
    expect(received).toEqual([])
    await add('/final', { types: ['operation.final'] })
    await add('/operations', { types: ['operation.*'] })
    await add('/b', { accounts: [b.toUpperCase().replace('0X', '0x')] })
    for (const account of [a, b]) {
      for (const type of ['operation.final', 'operation.dropped', 'deposit.increased'])
        await publish(account, 1, type)
    }
    await pass()
    const counts = Object.groupBy(received, ({ path }) => path)
    expect(Object.fromEntries(Object.entries(counts).map(([path, all]) => [path, all?.length]))).toEqual({
      ...{ '/early': 6, '/final': 2, '/operations': 4, '/b': 3 },
    })
  })

  test('behavior: events get positions while there is no endpoint, so a new one starts with what comes next', async () => {
    const { add, publish, pass, db, dependencies } = await begin()
    await publish(someone(), 3)
    expect(await hasWebhookWork(dependencies)).toBe(true)
    await pass()
    expect(await hasWebhookWork(dependencies)).toBe(false)
    expect(await db.selectFrom('events').select('id').where('position', 'is', null).execute()).toEqual([])
    await add()
    await pass()
    expect(received).toEqual([])
  })

  test('behavior: a failed delivery is retried, and only later events of the same account wait', async () => {
    const { add, publish, pass, wait } = await begin()
    await add()
    const [bad, good] = [someone(), someone()]
    answer = ({ message }) => (message.data.account.toLowerCase() === bad ? 500 : 200)
    await publish(bad, 3)
    await publish(good, 3)
    await pass()
    expect([numbersOf(bad), numbersOf(good)]).toEqual([[0], [0, 1, 2]])
    await pass()
    expect(numbersOf(bad)).toEqual([0])
    wait(5_000)
    answer = () => 200
    await pass()
    expect(numbersOf(bad)).toEqual([0, 0, 1, 2])
  })

  test('behavior: after a day a gap is marked and delivery continues', async () => {
    const { add, publish, pass, wait, db } = await begin()
    const { id } = await add()
    const account = someone()
    await publish(account, 2)
    answer = () => 503
    await pass()
    wait(24 * hour)
    await publish(account) // after the two deliveries that were given up
    await pass()
    for (let more = 0; more < 3; more++) {
      wait(hour)
      if (more === 1) answer = () => 200
      await pass()
    }
    const states = (await listDeliveries(db, id, { limit: 10 })).map(({ state }) => state)
    expect(states).toEqual(['delivered', 'missed', 'missed'])
    expect(received.at(-1)?.message.gap).toEqual({ missed: 2 })

    expect(await redeliver(db, id, { position: undefined, now: new Date(Date.now() + 48 * hour) })).toBe(2)
    wait(48 * hour)
    received.length = 0
    await pass()
    expect(numbersOf(account)).toEqual([0, 1])
    expect(received.some(({ message }) => message.gap)).toBe(false)
  })

  test('behavior: a failing endpoint gets one event at a time and is disabled after three days', async () => {
    const { add, publish, pass, wait, db } = await begin()
    const { id } = await add()
    answer = () => 500
    for (let count = 0; count < 20; count++) await publish(someone())
    await pass()
    const first = received.length
    expect(first).toBe(16)
    await pass()
    expect(received.length).toBe(first) // the endpoint is paused
    for (let passes = 0; passes < 14; passes++) {
      wait(6 * hour)
      await publish(someone())
      await pass()
    }
    expect(received.length).toBeLessThanOrEqual(first + 14)
    const [endpoint] = await listWebhookEndpoints(db)
    expect(endpoint).toMatchObject({ id, disabled_reason: 'FAILING', pending: 0 })
    const before = received.length
    await publish(someone())
    wait(hour)
    await pass()
    expect(received.length).toBe(before)

    answer = () => 200
    expect(await enableWebhookEndpoint(db, id)).toBe(true)
    await publish(someone())
    await pass()
    expect(received.length).toBe(before + 1)
  })

  test('behavior: a 410 answer or the revocation of the key disables an endpoint at once', async () => {
    const { add, publish, pass, db, now } = await begin()
    await add('/gone')
    await add('/stays')
    answer = ({ path }) => (path === '/gone' ? 410 : 200)
    await publish(someone())
    await pass()
    const reasons = (await listWebhookEndpoints(db)).map(({ url, disabled_reason }) => [
      new URL(url).pathname,
      disabled_reason,
    ])
    expect(Object.fromEntries(reasons)).toEqual({ '/gone': 'GONE', '/stays': null })
    expect(await disableWebhooksOfKey(db, 'another', now())).toEqual([])
    expect(await disableWebhooksOfKey(db, 'server', now())).toHaveLength(1)
    await publish(someone())
    await pass()
    expect(received).toHaveLength(2)
  })

  test('behavior: both secrets sign for a day after a rotation', async () => {
    const { add, publish, pass, db, now, wait } = await begin()
    const { id, secret } = await add()
    const next = await rotateWebhookSecret(db, { id, encryptionKey, now: now() })
    const verify = (by: string | undefined) => {
      const { body = '', headers = {} } = received.at(-1) ?? {}
      return () =>
        new Webhook(by ?? '').verify(body, {
          ...(headers as Record<string, string>),
          // The package uses the system clock.
          'webhook-timestamp': String(headers['webhook-timestamp']),
        })
    }
    await publish(someone())
    await pass()
    expect(verify(secret)).not.toThrow()
    expect(verify(next)).not.toThrow()
    wait(25 * hour)
    await publish(someone())
    await pass()
    const signatures = String(received.at(-1)?.headers['webhook-signature']).split(' ')
    expect(signatures).toHaveLength(1)
    expect(await rotateWebhookSecret(db, { id: 'whe_unknown', encryptionKey, now: now() })).toBeUndefined()
  })

  test('behavior: the database holds no plain secret; deliveries report a secret encrypted with another key', async () => {
    const { add, publish, pass, db, now, dependencies } = await begin()
    const { id, secret } = await add()
    const next = await rotateWebhookSecret(db, { id, encryptionKey, now: now() })
    const stored = JSON.stringify(await db.selectFrom('webhook_endpoints').select('secrets').execute())
    for (const one of [secret, next]) expect(stored).not.toContain(one?.replace('whsec_', ''))

    await publish(someone())
    const changed = { ...dependencies, encryptionKey: createSecretKey(randomBytes(32)) }
    await pass(changed)
    expect(received).toEqual([])
    expect(await listDeliveries(db, id, { limit: 1 })).toMatchObject([
      { state: 'pending', status: null, answer: expect.stringContaining('webhooks rotate') },
    ])
    const own = { id, encryptionKey: changed.encryptionKey, now: now() }
    const renewed = await rotateWebhookSecret(db, own)
    await redeliver(db, id, {
      position: (await listDeliveries(db, id, { limit: 1 }))[0]?.position,
      now: now(),
    })
    await pass(changed)
    const { body = '', headers = {} } = received.at(-1) ?? {}
    expect(() => new Webhook(renewed ?? '').verify(body, headers as Record<string, string>)).not.toThrow()
  })

  test('behavior: a secret copied to another endpoint does not sign', async () => {
    const { add, publish, pass, db } = await begin()
    const [first, second] = [await add('/first'), await add('/second')]
    const { secrets } = await db
      .selectFrom('webhook_endpoints')
      .select('secrets')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('webhook_endpoints')
      .set({ secrets: JSON.stringify(secrets) })
      .where('id', '=', second.id)
      .execute()
    await publish(someone())
    await pass()
    expect(received.map(({ path }) => path)).toEqual(['/first'])
  })

  test('behavior: secrets older than TOKEN_KEY still sign, and the next rotation encrypts them', async () => {
    const { add, publish, pass, db, now } = await begin()
    const { id } = await add()
    const plain = `whsec_${randomBytes(32).toString('base64')}`
    await db
      .updateTable('webhook_endpoints')
      .set({ secrets: JSON.stringify([{ secret: plain, until: null }]) })
      .where('id', '=', id)
      .execute()
    const expectSigned = () => {
      const { body = '', headers = {} } = received.at(-1) ?? {}
      expect(() => new Webhook(plain).verify(body, headers as Record<string, string>)).not.toThrow()
    }
    await publish(someone())
    await pass()
    expectSigned()
    await rotateWebhookSecret(db, { id, encryptionKey, now: now() })
    const stored = JSON.stringify(await db.selectFrom('webhook_endpoints').select('secrets').execute())
    expect(stored).not.toContain('whsec_')
    await publish(someone())
    await pass()
    expectSigned()
  })

  test('behavior: a removed endpoint receives nothing', async () => {
    const { add, publish, pass, db } = await begin()
    const { id } = await add()
    await publish(someone())
    expect(await removeWebhookEndpoint(db, id)).toBe(true)
    await pass()
    expect(received).toEqual([])
  })

  test('behavior: if processes die during delivery, every event arrives and first arrivals are in order', async () => {
    const { add, pass, dependencies, wait, db } = await begin()
    const { id } = await add()
    const accounts = Array.from({ length: 6 }, someone)
    const perAccount = 8
    let kills = 0
    const killed = new Set<string>()
    answer = () => (randomInteger(5) === 0 ? 500 : 200)
    const deadly = {
      ...dependencies,
      async post(request: Parameters<typeof postWebhook>[0]) {
        const isLate = randomInteger(2) === 0
        // At least once for each event of the first two accounts, and now and then for all.
        const isDue =
          accounts.slice(0, 2).some((account) => request.body.toLowerCase().includes(account)) &&
          !killed.has(request.body)
        const dies = isDue || randomInteger(4) === 0
        if (isDue) killed.add(request.body)
        if (dies && !isLate) {
          kills++
          throw new Error('killed before it was sent')
        }
        const result = await dependencies.post(request)
        if (!dies) return result
        kills++
        throw new Error('killed before it was recorded')
      },
    }
    for (let number = 0; number < perAccount; number++) {
      for (const account of accounts) {
        const data = JSON.stringify({ number })
        await db
          .insertInto('events')
          .values({ type: 'operation.included', account, network: 1, data, position: null })
          .execute()
      }
    }
    const delivered = async () =>
      (await listDeliveries(db, id, { limit: 100 })).filter(({ state }) => state === 'delivered').length
    let passes = 0
    while ((await delivered()) < accounts.length * perAccount) {
      expect(++passes).toBeLessThan(500)
      // Two replicas run concurrently.
      await Promise.allSettled([pass(deadly), pass(deadly)])
      wait(5 * 60_000)
    }
    for (const account of accounts) {
      const numbers = numbersOf(account)
      expect([...new Set(numbers)]).toEqual(Array.from({ length: perAccount }, (_, number) => number))
    }
    expect(kills).toBeGreaterThanOrEqual(2 * perAccount)
    reportFigure(3, `webhooks in order, first arrivals (${engine})`, accounts.length * perAccount)
    reportFigure(3, `kills while they were delivered (${engine})`, kills)
  })
})
