/** @module-tag all */
import type { RpcRequest, RpcRule } from '@lanyard/testing/fault-proxy'
import { describe, expect, test } from 'vitest'
import { useProxiedNode } from '../test/proxied-node.ts'
import { type Network, walkBlocks } from './index.ts'

const { proxy, start } = useProxiedNode()

const headOf = ({ call }: Network) => call((client) => client.getBlockNumber())
const addresses = Array.from({ length: 40 }, (_, one) => `0x${String(one + 1).padStart(40, '0')}` as const)
const readBalances = ({ call }: Network) =>
  call((client) => Promise.all(addresses.map((address) => client.getBalance({ address }))))
const address = addresses[0] ?? '0x'

/** Whole answers to what has more requests than `most`. */
const answering = (
  body: string | ((requests: readonly RpcRequest[]) => string),
  {
    most = 1,
    status = 200,
    headers = {},
  }: { most?: number; status?: number; headers?: Record<string, string> } = {},
): RpcRule => ({ fault: { kind: 'http', status, body, headers, when: ({ length }) => length > most } })

const one = (id: unknown) => ({ jsonrpc: '2.0', id, result: '0x1' })

describe('batches that a provider refuses in a way of its own', () => {
  const cases: readonly (readonly [string, RpcRule])[] = [
    ['an empty array', answering('[]')],
    ['null', answering('null')],
    [
      'the answer to the first request, in an array',
      answering(([first]) => JSON.stringify([one(first?.id)])),
    ],
    ['the answer to the first request alone', answering(([first]) => JSON.stringify(one(first?.id)))],
    ['all but the last answer', answering((all) => JSON.stringify(all.slice(1).map(({ id }) => one(id))))],
    ['a text', answering('Batches are a premium feature')],
    ['HTTP 500', answering('', { status: 500 })],
    [
      'HTTP 403 in words',
      answering('{"message":"batch requests are not available on the free plan"}', { status: 403 }),
    ],
    [
      'HTTP 403 as JSON-RPC',
      answering('{"id":null,"error":{"code":-32600,"message":"batch size exceeds limit"}}', { status: 403 }),
    ],
    ['HTTP 403, more than ten', answering('<html>Forbidden</html>', { status: 403, most: 10 })],
  ]
  test.each(cases)('behavior: %s: requests are sent in smaller batches', async (_, rule) => {
    proxy.set(rule)
    const { network, events } = start()
    const out = await Promise.allSettled([
      readBalances(network),
      readBalances(network),
      readBalances(network),
    ])
    expect(out.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(await readBalances(network)).toHaveLength(40)
    expect(events).toEqual([])
    expect(network.limits[0]?.batch).toBeLessThan(40)
  })
})

describe('what a provider says outside of JSON-RPC', () => {
  const every = { most: 0 }
  const limits: readonly (readonly [string, RpcRule])[] = [
    ['an error that is a text', answering('{"error":"Too many requests"}', every)],
    [
      'an error without an id',
      answering('{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"limit exceeded"}}', every),
    ],
    ['a text', answering('Too many requests, slow down', every)],
    [
      'a page with HTTP 403',
      answering('<html><h1>Error 1015</h1>You are being rate limited</html>', { ...every, status: 403 }),
    ],
  ]
  for (const rpcBatch of [50, 1])
    test.each(limits)(`error: %s is a rate limit, batches of ${rpcBatch}`, async (_, rule) => {
      const { network, events } = start({ rpcTimeout: 500, rpcBatch })
      await headOf(network)
      proxy.set(rule)
      await expect(headOf(network)).rejects.toMatchObject({ details: { reason: 'PROVIDER_LIMIT' } })
      expect(network.circuit).toBe('closed')
      expect(events).toHaveLength(1)
    })
  const refusals: readonly (readonly [string, RpcRule])[] = [
    ['HTTP 401', answering('{"message":"Unauthorized"}', { ...every, status: 401 })],
    ['HTTP 403 with a page', answering('<html>Forbidden</html>', { ...every, status: 403 })],
    ['HTTP 402', answering('', { ...every, status: 402 })],
    ['HTTP 404', answering('404 page not found', { ...every, status: 404 })],
    [
      'HTTP 302',
      answering('', { ...every, status: 302, headers: { location: 'https://example.com/login' } }),
    ],
  ]
  test.each(refusals)('error: %s is said', async (_, rule) => {
    const { network } = start()
    proxy.set(rule)
    for (let time = 0; time < 5; time++)
      await expect(headOf(network)).rejects.toMatchObject({
        code: 'NETWORK_UNAVAILABLE',
        message: expect.stringMatching(/HTTP \d\d\d/),
        details: { reason: 'ACCESS_REFUSED' },
      })
  })
})

describe('logs', () => {
  const log = (blockNumber: number, logIndex: number) => ({
    address,
    topics: [],
    data: '0x',
    blockHash: `0x${String(blockNumber).padStart(64, '0')}`,
    blockNumber: `0x${blockNumber.toString(16)}`,
    transactionHash: `0x${'11'.repeat(32)}`,
    transactionIndex: '0x0',
    logIndex: `0x${logIndex.toString(16)}`,
    removed: false,
  })
  const giving = (logs: readonly object[]): RpcRule => ({
    methods: ['eth_getLogs'],
    fault: { kind: 'lie', change: () => logs },
  })
  const read = ({ call }: Network) =>
    call((client) => client.getLogs({ address, fromBlock: 1n, toBlock: 9n })).then((logs) =>
      logs.map(({ blockNumber, logIndex }) => [Number(blockNumber), logIndex]),
    )
  test('behavior: each log once and in order', async () => {
    proxy.set(giving([log(3, 1), log(2, 7), log(2, 0), log(3, 1), log(2, 7)]))
    expect(await read(start().network)).toEqual([
      [2, 0],
      [2, 7],
      [3, 1],
    ])
  })

  test('behavior: an answer that is too large is halved, and is no outage', async () => {
    proxy.set({
      methods: ['eth_getLogs'],
      fault: {
        kind: 'lie',
        change(_, { params: [filter] = [] }) {
          const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string }
          const all = []
          for (let block = Number(fromBlock); block <= Number(toBlock); block++)
            all.push({ ...log(block, 0), address: '0x22', data: `0x${'00'.repeat(100_000)}` })
          return all
        },
      },
    })
    const { network, events } = start()
    await headOf(network)
    proxy.take()
    const walk = walkBlocks(network, { fromBlock: 1n, toBlock: 250n }, (client, range) =>
      client.getLogs(range),
    )
    const pages = await Array.fromAsync(walk)
    expect(pages.flatMap(({ result }) => result)).toHaveLength(250)
    expect(events).toEqual([])
    expect(proxy.take().trips).toBeLessThan(20)
  })
})

describe('times', () => {
  test('error: a block beyond all calendars', async () => {
    proxy.set({
      methods: ['eth_getBlockByNumber'],
      fault: { kind: 'lie', change: (block) => ({ ...(block as object), timestamp: '0x200000000000' }) },
    })
    await expect(start().network.head()).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
  })
})
