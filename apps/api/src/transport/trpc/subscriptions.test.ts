import type { AppRouter } from '@lanyard/client/trpc'
import { type EventMessage, eventMessage } from '@lanyard/contracts'
import { publishEvents } from '@lanyard/database'
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, type HttpService, postJson, serveApp, startHttpService } from '../../../test/http-service.ts'
import { createEventStreams } from '../../domain/events/streams/event-streams.ts'

let service: HttpService
let alice: `0x${string}`
beforeAll(async () => {
  service = await startHttpService({ API_KEYS: 'server:a-secret-of-sixteen' })
  const { body } = await postJson(
    `${service.url}/smart-account/create`,
    { eoaAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    secret,
  )
  alice = body.wallet.scw_address
})
afterAll(() => service?.[Symbol.asyncDispose]())

const secret = { 'x-api-key': 'a-secret-of-sixteen' }

const publish = (balance: string) =>
  service.database.db
    .insertInto('events')
    .values({
      ...{ type: 'deposit.increased', account: alice.toLowerCase(), network: 1, position: null },
      data: JSON.stringify({ balance, exiting: '0', change: '1', blockNumber: '1' }),
    })
    .execute()

function connect(url = service.url, headers: Record<string, string> = secret) {
  return createTRPCClient<AppRouter>({
    links: [
      httpSubscriptionLink({
        url: `${url}/trpc`,
        EventSource,
        eventSourceOptions: {
          fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
        },
      }),
    ],
  })
}

/** Subscribes; `next` returns the next message. */
async function listen(
  input: { walletAddress?: `0x${string}`; lastEventId?: string } = { walletAddress: alice },
  client = connect(),
) {
  const got: { id: string; data: EventMessage }[] = []
  const started = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<{ readonly data?: { readonly code: string } | null | undefined }>()
  const states: string[] = []
  const { unsubscribe } = client.events.listen.subscribe(input, {
    onStarted: () => started.resolve(),
    onData: (event) => void got.push(event),
    onError: (error) => failed.resolve(error),
    onConnectionStateChange: ({ state }) => void states.push(state),
  })
  return {
    started: started.promise,
    failed: failed.promise,
    states,
    got,
    balances: () => got.map(({ data: { data } }) => Reflect.get(data, 'balance')),
    [Symbol.dispose]: unsubscribe,
  }
}

test('default: a subscription gets the messages of one account in the declared form, each with its id', async () => {
  using stream = await listen()
  await stream.started
  await publish('1')
  await publish('2')
  await expect.poll(stream.balances).toEqual(['1', '2'])
  for (const { id, data } of stream.got) {
    expect(eventMessage('deposit.increased').parse(data)).toMatchObject({ data: { position: id } })
  }
})

test('behavior: a client that subscribes with the last id misses nothing', async () => {
  using first = await listen()
  await first.started
  await publish('3')
  await expect.poll(first.balances).toEqual(['3'])
  first[Symbol.dispose]()
  await publish('4')
  await publishEvents(service.database.db, new Date())
  using again = await listen({ walletAddress: alice, lastEventId: first.got[0]?.id ?? '' })
  await expect.poll(again.balances).toEqual(['4'])
})

test('behavior: a stream that the service closes continues where it stopped', async () => {
  const { services } = service.service
  const closing = [new AbortController(), new AbortController()]
  let opened = 0
  await using served = await serveApp({
    ...services,
    eventStreams: {
      open: (request) =>
        createEventStreams({
          ...services,
          closing: (closing[opened++] ?? new AbortController()).signal,
        }).open(request),
    },
  })
  using stream = await listen({ walletAddress: alice }, connect(served.url))
  await stream.started
  await publish('5')
  await expect.poll(stream.balances).toEqual(['5'])
  closing[0]?.abort()
  await publish('6')
  await expect.poll(stream.balances).toEqual(['5', '6'])
  expect(opened).toBe(2)
  // Every open wallet's stream ends after 15 minutes, which is no error.
  expect(service.logged.filter(({ level }) => Number(level) >= 50 || level === 'error')).toEqual([])
})

test('error: callers without access, malformed requests and too many streams are rejected', async () => {
  const codeOf = async (input: Parameters<typeof listen>[0], client = connect()) => {
    using stream = await listen(input, client)
    return (await stream.failed).data?.code
  }
  // The request is rejected before the stream starts.
  const input = encodeURIComponent(JSON.stringify({ walletAddress: alice }))
  expect((await ask(`${service.url}/trpc/events.listen?input=${input}`)).status).toBe(401)
  expect(await codeOf({ walletAddress: '0x12' })).toBe('INVALID_INPUT')
  expect(await codeOf({ walletAddress: alice, lastEventId: 'x' })).toBe('INVALID_INPUT')
  expect(await codeOf({ walletAddress: `0x${'9'.repeat(40)}` })).toBe('UNKNOWN_WALLET')
  const { services } = service.service
  const limits = { address: 1, key: 0, addresses: 1, all: 1 }
  await using full = await serveApp({ ...services, eventStreams: createEventStreams(services, limits) })
  expect(await codeOf({ walletAddress: alice }, connect(full.url))).toBe('RATE_LIMITED')
})
