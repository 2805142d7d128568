// @promise 4 24 B.15
import { type DevnetNode, localTransport, startNode } from '@lanyard/devnet'
import {
  absurdFees,
  boundedLogs,
  futureBlock,
  noLogs,
  otherReceipt,
  type RpcFault,
  type RpcProxy,
  type RpcRule,
  startRpcProxy,
  wrongChain,
} from '@lanyard/testing/fault-proxy'
import { createTestClient, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createNetworks, multicall3, type Network, networkConfig, walkBlocks } from './index.ts'

let node: DevnetNode
let proxy: RpcProxy
beforeAll(async () => {
  node = await startNode()
  proxy = await startRpcProxy(node.rpcUrl)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await node.stop()
})
afterEach(() => {
  proxy.set()
  clock = 0
})

/** A stopped clock, so that nothing becomes due by itself on a busy machine. */
let clock = 0

/** For endpoints that never answer. An honest answer may take as long on a busy machine, so other tests wait longer. */
const shortTimeout = { rpcTimeout: 1_000 }

/** Each test has its own registry, because circuits keep state. */
function start(rpcUrls = [proxy.url], more: object = {}): { network: Network; changes: unknown[] } {
  const changes: unknown[] = []
  const config = networkConfig.parse({ chainId: 31337, name: 'Test', rpcUrls, rpcTimeout: 20_000, ...more })
  const circuitChanged = (network: number, change: object) => changes.push({ network, ...change })
  const networks = createNetworks([config], () => clock, { circuitChanged })
  return { network: networks.get(31337), changes }
}

const connect = () => createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) })
const blockNumber = (network: Network) => network.call((client) => client.getBlockNumber())
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )

describe('an endpoint that fails', () => {
  const html = { 'content-type': 'text/html' }
  const faults: readonly [string, RpcFault][] = [
    ['silence', { kind: 'silence' }],
    ['an answer that never ends', { kind: 'stall', bytes: 9 }],
    ['a truncated answer', { kind: 'truncate', bytes: 9 }],
    ['a reset', { kind: 'cut' }],
    ['HTTP 500', { kind: 'http', status: 500, body: 'null' }],
    ['an HTML page', { kind: 'http', status: 200, body: '<p>Welcome to the hotel', headers: html }],
    ['null instead of a batch', { kind: 'http', status: 200, body: 'null' }],
    [
      'one error instead of a batch',
      { kind: 'http', status: 200, body: '{"id":null,"error":{"code":-32603}}' },
    ],
    ['a missing answer', { kind: 'omit' }],
  ]
  test.each(faults)('error: NETWORK_UNAVAILABLE within bounded time, %s', async (_name, fault) => {
    const isSilent = fault.kind === 'silence' || fault.kind === 'stall'
    proxy.set({ fault })
    const { network } = start([proxy.url], isSilent ? shortTimeout : {})
    proxy.take()
    expect(await codeOf(blockNumber(network))).toBe('NETWORK_UNAVAILABLE')
    // Only immediate failures are retried, so two time-outs never add up. What may refuse the batch is asked once alone.
    const { trips } = proxy.take()
    if (isSilent) expect(trips).toBe(1)
    else expect(trips).toBeLessThanOrEqual(4)
    proxy.set()
    expect(await blockNumber(network)).toBeTypeOf('bigint')
  })

  test('error: NETWORK_FAILED if the node fails while reading a contract, which is not a revert', async () => {
    proxy.set({ fault: { kind: 'error', code: -32603, message: 'Internal error' } })
    const { network } = start()
    const abi = parseAbi(['function getBlockNumber() view returns (uint256)'])
    const read = network.call((client) =>
      client.readContract({ address: multicall3, abi, functionName: 'getBlockNumber' }),
    )
    expect(await codeOf(read)).toBe('NETWORK_FAILED')
  })

  test('behavior: retries once if a request failed immediately', async () => {
    const { network } = start()
    proxy.set({ times: 1, fault: { kind: 'cut' } })
    expect(await blockNumber(network)).toBeTypeOf('bigint')
  })

  test('behavior: a missing answer in a batch does not assign answers to the wrong requests', async () => {
    const { network } = start()
    await blockNumber(network)
    proxy.set({ methods: ['eth_getBalance'], fault: { kind: 'omit' } })
    const both = network.call((client) =>
      Promise.all([client.getBalance({ address: `0x${'11'.repeat(20)}` }), client.getGasPrice()]),
    )
    expect(await codeOf(both)).toBe('NETWORK_UNAVAILABLE')
  })
})

describe('an endpoint with invalid answers', () => {
  const hash = `0x${'11'.repeat(32)}` as const
  const address = `0x${'11'.repeat(20)}` as const
  const asks: Record<string, (network: Network) => Promise<unknown>> = {
    eth_blockNumber: blockNumber,
    eth_getBalance: ({ call }) => call((client) => client.getBalance({ address })),
    eth_getTransactionCount: ({ call }) => call((client) => client.getTransactionCount({ address })),
    eth_getCode: ({ call }) => call((client) => client.getCode({ address })),
    eth_call: ({ call }) => call((client) => client.call({ to: address })),
    eth_getLogs: ({ call }) => call((client) => client.getLogs({ address })),
    eth_feeHistory: ({ fees }) => fees(),
    eth_estimateGas: ({ call }) => call((client) => client.estimateGas({ account: address, to: address })),
    eth_getBlockByNumber: ({ finalizedBlock }) => finalizedBlock(),
    eth_chainId: blockNumber,
  }
  const lies: readonly [string, unknown][] = [
    ['null', null],
    ['a word', 'fine'],
    ['an object', { status: 'ok' }],
    ['a number', 7],
  ]
  test.each(lies)('error: NETWORK_FAILED, %s', async (_name, answer) => {
    const { network } = start()
    for (const [method, ask] of Object.entries(asks)) {
      proxy.set({ methods: [method], fault: { kind: 'lie', change: () => answer } })
      clock += 5_000 // so that the chain is checked again
      expect([method, await codeOf(ask(network))]).toEqual([method, 'NETWORK_FAILED'])
    }
  })

  const others: readonly [string, RpcRule, (network: Network) => Promise<unknown>][] = [
    [
      'the receipt of another transaction',
      otherReceipt(),
      ({ call }) => call((client) => client.getTransactionReceipt({ hash })),
    ],
    [
      'another block',
      lie('eth_getBlockByNumber', (block) => ({ ...block, number: '0x9' })),
      ({ call }) => call((client) => client.getBlock({ blockNumber: 0n })),
    ],
    [
      'the logs of another contract',
      lie('eth_getLogs', () => [logOf(`0x${'22'.repeat(20)}`)]),
      ({ call }) => call((client) => client.getLogs({ address })),
    ],
    [
      'logs of blocks that were not requested',
      lie('eth_getLogs', () => [logOf(address)]),
      ({ call }) => call((client) => client.getLogs({ address, fromBlock: 2n, toBlock: 3n })),
    ],
    ['a head beyond all blocks', futureBlock(2n ** 60n), blockNumber],
    ['a final block above the head', futureFinal, ({ finalizedBlock }) => finalizedBlock()],
    ['absurd fees', absurdFees(10n ** 20n), ({ fees }) => fees()],
  ]
  test.each(others)('error: NETWORK_FAILED, %s', async (_name, rule, ask) => {
    proxy.set(rule)
    expect(await codeOf(ask(start().network))).toBe('NETWORK_FAILED')
  })

  test('behavior: calls the next endpoint instead', async () => {
    await using good = await startRpcProxy(node.rpcUrl)
    const { network } = start([proxy.url, good.url])
    proxy.set({ fault: { kind: 'null' } })
    expect(await blockNumber(network)).toBeTypeOf('bigint')
    proxy.set(noLogs())
    expect(await network.call((client) => client.getLogs({ address }))).toEqual([])
  })

  const logOf = (of: string) => ({
    address: of,
    topics: [],
    data: '0x',
    blockHash: hash,
    blockNumber: '0x1',
    transactionHash: hash,
    transactionIndex: '0x0',
    logIndex: '0x0',
    removed: false,
  })
})

/** Only the final block is in the future; the head is unchanged. */
const futureFinal: RpcRule = {
  methods: ['eth_getBlockByNumber'],
  fault: {
    kind: 'lie',
    change: (block, { params: [at] = [] }) =>
      at === 'finalized' && typeof block === 'object' ? { ...block, number: '0xffff' } : block,
  },
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of a node, by whatever method
const lie = (method: string, change: (result: any) => unknown): RpcRule => ({
  methods: [method],
  fault: { kind: 'lie', change },
})

describe('the chain check', () => {
  test('behavior: detects within five seconds that an endpoint serves another chain, and when it is back', async () => {
    const { network } = start()
    await blockNumber(network)
    proxy.set(wrongChain(1))
    clock += 5_000
    expect(await codeOf(blockNumber(network))).toBe('NETWORK_FAILED')
    expect(await codeOf(blockNumber(network))).toBe('NETWORK_FAILED')
    proxy.set()
    expect(await blockNumber(network)).toBeTypeOf('bigint')
  })

  test('behavior: a check is as old as its question, however late the answer', async () => {
    const { network } = start()
    proxy.set(
      lie('eth_chainId', (result) => {
        clock += 5_000
        return result
      }),
    )
    await blockNumber(network)
    proxy.set(wrongChain(1))
    expect(await codeOf(blockNumber(network))).toBe('NETWORK_FAILED')
  })

  test('behavior: assertChain checks immediately', async () => {
    const { network } = start()
    await network.assertChain()
    proxy.set(wrongChain(1))
    expect(await codeOf(network.assertChain())).toBe('NETWORK_FAILED')
  })

  test('behavior: shares the round trip of another request', async () => {
    const { network } = start()
    proxy.take()
    await blockNumber(network)
    await blockNumber(network)
    expect(proxy.take()).toEqual({ trips: 2, requests: 3, calls: 0 })
  })
})

describe('circuit', () => {
  test('behavior: a rejected range of logs does not open it, and shorter ranges are read', async () => {
    const { network, changes } = start()
    await connect().mine({ blocks: 150 })
    proxy.set(boundedLogs(10n))
    const toBlock = await blockNumber(network)
    const walk = walkBlocks(network, { fromBlock: 0n, toBlock }, (client, range) => client.getLogs(range))
    const ranges = await Array.fromAsync(walk)
    expect(ranges.at(-1)?.toBlock).toBe(toBlock)
    expect({ circuit: network.circuit, changes }).toEqual({ circuit: 'closed', changes: [] })
  })

  test('behavior: three failures open it, calls then fail immediately, and a probe closes it', async () => {
    const { network, changes } = start([proxy.url], shortTimeout)
    proxy.set({ fault: { kind: 'silence' } })
    for (let time = 0; time < 3; time++) {
      expect(await codeOf(blockNumber(network))).toBe('NETWORK_UNAVAILABLE')
    }
    expect(network.circuit).toBe('open')
    expect(changes).toEqual([{ network: 31337, endpoint: 1, state: 'open', pause: 1_000 }])
    proxy.take()
    expect(await codeOf(blockNumber(network))).toBe('NETWORK_UNAVAILABLE')
    expect(await network.health()).toEqual({ status: 'down', block: null })
    expect(proxy.take()).toEqual({ trips: 0, requests: 0, calls: 0 })

    clock += 1_000
    expect(await codeOf(blockNumber(network))).toBe('NETWORK_UNAVAILABLE')
    expect(changes.at(-1)).toMatchObject({ state: 'open', pause: 2_000 })
    proxy.set()
    clock += 2_000
    expect(await blockNumber(network)).toBeTypeOf('bigint')
    expect(network.circuit).toBe('closed')
    expect(changes.at(-1)).toEqual({ network: 31337, endpoint: 1, state: 'closed' })
  })

  test('behavior: while the circuit of one endpoint is open, the next is called, and the network is up', async () => {
    await using good = await startRpcProxy(node.rpcUrl)
    const { network, changes } = start([proxy.url, good.url], shortTimeout)
    proxy.set({ fault: { kind: 'silence' } })
    for (let time = 0; time < 3; time++) await blockNumber(network)
    expect(changes).toMatchObject([{ endpoint: 1, state: 'open' }])
    proxy.take()
    await blockNumber(network)
    expect(proxy.take().trips).toBe(0)
    expect(network.circuit).toBe('closed')
  })

  test('behavior: invalid answers, reverts and another chain do not open it', async () => {
    const { network } = start()
    proxy.set({ methods: ['eth_blockNumber'], fault: { kind: 'null' } })
    for (let time = 0; time < 5; time++) await codeOf(blockNumber(network))
    proxy.set(wrongChain(1))
    clock += 5_000
    for (let time = 0; time < 5; time++) await codeOf(blockNumber(network))
    expect(network.circuit).toBe('closed')
  })

  test('behavior: rejects an endpoint that serves another chain after an outage', async () => {
    const { network } = start([proxy.url], shortTimeout)
    await blockNumber(network)
    proxy.set({ fault: { kind: 'silence' } })
    for (let time = 0; time < 3; time++) await codeOf(blockNumber(network))
    proxy.set(wrongChain(1))
    clock += 1_000
    expect(await codeOf(blockNumber(network))).toBe('NETWORK_FAILED')
  })
})

test('behavior: requests beyond rpcConcurrency wait', async () => {
  const { network } = start([proxy.url], { rpcConcurrency: 3 })
  await blockNumber(network)
  proxy.take()
  const address = `0x${'11'.repeat(20)}` as const
  const slots = Array.from({ length: 12 }, (_, slot) => `0x${slot.toString(16)}` as const)
  await network.call((client) => Promise.all(slots.map((slot) => client.getStorageAt({ address, slot }))))
  const { trips, requests } = proxy.take()
  expect(requests).toBe(12 + trips) // each batch asks for the head, too
  expect(trips).toBeGreaterThanOrEqual(4) // at most three are sent together
})

describe('an endpoint that answers slowly', () => {
  const limits = { rpcConcurrency: 3, rpcQueue: 5 }
  const balances = (network: Network, count: number) =>
    Array.from({ length: count }, (_, index) =>
      codeOf(
        network.call((client) => client.getBalance({ address: `0x${String(index).padStart(40, '0')}` })),
      ),
    )

  test('behavior: requests beyond the queue are rejected immediately, and memory does not grow', async () => {
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    await using slow = await startRpcProxy(node.rpcUrl, 0, () => held)
    const { network } = start([slow.url], { ...limits, rpcTimeout: 30_000 })
    const all = balances(network, 1_000)
    // The rejected ones return before the node has responded to any request.
    const rejected = await Promise.all(all.slice(8))
    expect(new Set(rejected)).toEqual(new Set(['NETWORK_UNAVAILABLE']))
    expect(network.load).toEqual({ active: 3, waiting: 5 })
    await expect(network.call((client) => client.getBlockNumber())).rejects.toMatchObject({
      code: 'NETWORK_UNAVAILABLE',
      details: { retryAfter: 1 },
    })
    expect(network.circuit).toBe('closed')
    answer()
    expect(await Promise.all(all.slice(0, 8))).toEqual(Array(8).fill('answered'))
    expect(network.load).toEqual({ active: 0, waiting: 0 })
    // The eight requests, the chain check, and the head in each batch.
    const { trips, requests } = slow.take()
    expect(requests - trips).toBe(9)
  })

  test('behavior: a request that waited for its whole time-out is never sent', async () => {
    await using silent = await startRpcProxy(node.rpcUrl)
    silent.set({ fault: { kind: 'silence' } })
    const { network } = start([silent.url], { ...shortTimeout, rpcConcurrency: 1, rpcQueue: 50 })
    const codes = await Promise.all(balances(network, 20))
    expect(new Set(codes)).toEqual(new Set(['NETWORK_UNAVAILABLE']))
    expect(network.load.waiting).toBe(0)
    // The first request, its chain check, and at most one whose turn came when its own time-out ended.
    const { trips, requests } = silent.take()
    expect(requests - trips).toBeLessThanOrEqual(3)
  })
})
