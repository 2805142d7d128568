/** @module-tag all */
import { devAccounts, localTransport } from '@lanyard/devnet'
import {
  headerNotFound,
  ignoredOverrides,
  imitatedProviders,
  laggingNode,
  limitedBatches,
  limitedLogs,
  limitedNames,
  type Refusal,
  type RpcRequest,
  type RpcRule,
  rateLimit,
  refusedOverrides,
  startRpcProxy,
  withoutMethod,
  withoutTag,
} from '@lanyard/testing/fault-proxy'
import {
  type BaseError,
  createTestClient,
  type Hash,
  keccak256,
  numberToHex,
  pad,
  publicActions,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { useProxiedNode } from '../test/proxied-node.ts'
import { countRequests, multicall3, type Network, walkBlocks, walkRecent } from './index.ts'

const node = useProxiedNode()
const { proxy } = node

let clock = 0
const stopped = () => clock
afterEach(() => {
  clock = 0
})

/** Each test has its own registry, because limits are learned. */
const start = (rpcUrls = [proxy.url], more: object = {}, now = stopped) =>
  node.start({ rpcUrls, ...more }, now)

test('behavior: transactions go to all of sendRpcUrls, and to no address for reading', async () => {
  const [payer] = devAccounts
  if (!payer) throw new TypeError('a funded account')
  const account = privateKeyToAccount(payer.privateKey)
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) }).extend(
    publicActions,
  )
  const raw = await account.signTransaction({
    ...{ type: 'eip1559', chainId: 31337, to: account.address, gas: 21_000n },
    ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
    nonce: await chain.getTransactionCount({ address: account.address }),
  })
  const send = ({ call }: Network) =>
    call((client) => client.sendRawTransaction({ serializedTransaction: raw }))
  proxy.set(withoutMethod('eth_sendRawTransaction'))
  const silent = 'http://127.0.0.1:9'
  const { network } = start([proxy.url], { sendRpcUrls: [silent, node.rpcUrl] })
  expect(await send(network)).toBe(keccak256(raw))
  expect(await headOf(network)).toBeGreaterThan(0n)
  // The refusal of one says more than the silence of another.
  const rejected = network.call((client) =>
    client.sendRawTransaction({ serializedTransaction: raw }).catch((error: BaseError) => error.details),
  )
  expect(await rejected).toMatch(/nonce|known|imported/i)
})

test('behavior: one of sendRpcUrls that takes a transaction is enough, whatever another one answers first', async () => {
  const hash = keccak256('0x01')
  await using refusing = await startRpcProxy(node.rpcUrl)
  await using taking = await startRpcProxy(node.rpcUrl)
  const methods = ['eth_sendRawTransaction']
  refusing.set({ methods, fault: { kind: 'refuse', code: -32000, message: 'already known' } })
  const { network } = start([proxy.url], { sendRpcUrls: [refusing.url, taking.url] })
  taking.set(
    { methods, fault: { kind: 'delay', milliseconds: 300 } },
    {
      methods,
      fault: { kind: 'ask', change: (request) => ({ ...request, method: 'eth_chainId', params: [] }) },
    },
    { methods, fault: { kind: 'lie', change: () => hash } },
  )
  const sent = network.call((client) => client.sendRawTransaction({ serializedTransaction: '0x01' }))
  expect(await sent).toBe(hash)
})

const headOf = ({ call }: Network) => call((client) => client.getBlockNumber())

/** The uses that the service makes of a network. */
const uses: Readonly<Record<string, (network: Network) => Promise<unknown>>> = {
  'many requests at once': async ({ call }) => {
    const addresses = Array.from(
      { length: 40 },
      (_, one) => `0x${String(one + 1).padStart(40, '0')}` as const,
    )
    const balances = await call((client) =>
      Promise.all(addresses.map((address) => client.getBalance({ address }))),
    )
    expect(balances).toHaveLength(40)
  },
  'logs of 250 blocks': async (network) => {
    const walk = walkBlocks(network, { fromBlock: 1n, toBlock: 250n }, (client, range) =>
      client.getLogs(range),
    )
    const pages = await Array.fromAsync(walk)
    expect([pages[0]?.fromBlock, pages.at(-1)?.toBlock]).toEqual([1n, 250n])
    // anvil's set-up has no logs; the pages must still cover every block.
    expect(pages.reduce((sum, page) => sum + Number(page.toBlock - page.fromBlock) + 1, 0)).toBe(250)
  },
  'logs of recent blocks': async (network) => {
    const pages = await Array.fromAsync(
      walkRecent(network, { window: 1e12, atMost: 60_000, requests: 1_000 }, (client, range) =>
        client.getLogs(range),
      ),
    )
    expect(pages.at(-1)?.fromBlock).toBe(0n)
  },
  fees: async (network) => expect((await network.fees()).maxFeePerGas).toBeGreaterThan(0n),
  'the final block': async (network) => expect(await network.finalizedBlock()).toBeGreaterThan(0n),
  'a call with overrides': async ({ call }) => {
    const to = '0x00000000000000000000000000000000000a11ed'
    const { data } = await call((client) =>
      client.call({ to, stateOverride: [{ address: to, code: '0x602a5f5260205ff3' }] }),
    )
    expect(BigInt(data ?? 0)).toBe(42n)
  },
  'a block by its hash, and state at it': async ({ call }) => {
    const block = await call((client) => client.getBlock())
    await call((client) => client.getBlock({ blockHash: block.hash }))
    await call((client) => client.getBalance({ address: multicall3, blockNumber: block.number }))
  },
  health: async (network) => expect(await network.health()).toMatchObject({ status: 'up' }),
}

const http = (status: number, body = ''): Refusal => ({ status, body })
const rpc = (code: number, message: string): Refusal => ({ code, message })

/** Refusals of block ranges, in the words of providers and in words of nobody. */
const logLimits: readonly (readonly [blocks: number, how: Refusal])[] = [
  [10, http(400)],
  [10, http(413)],
  [
    5,
    http(
      400,
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"eth_getLogs is limited to a 5 range"}}',
    ),
  ],
  [
    10,
    rpc(
      -32600,
      'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x0, 0x9].',
    ),
  ],
  [5, rpc(-32602, 'eth_getLogs is limited to a 5 range')],
  [100, rpc(-32005, 'query returned more than 10000 results')],
  [100, rpc(-32000, 'exceed maximum block range: 100')],
  [
    100,
    rpc(-32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range'),
  ],
  [50, rpc(-32614, 'block range is too wide')],
  [50, rpc(-32000, 'query exceeds limits')],
  [7, rpc(-32099, 'computer says no')],
  [1, rpc(-32000, 'only one block at a time')],
]

type BatchLimit = readonly [most: number, how: number | 'each' | 'one', message?: string]

const batchLimits: readonly BatchLimit[] = [
  [10, 'each', 'batch limit of 10 exceeded'],
  [10, 'one'],
  [10, 400],
  [10, 413],
  [3, 'each', 'Batch of more than 3 requests are not allowed on free tier'],
  [3, 'one', 'too many calls'],
  [3, 400],
  [0, 'each', 'batching is not supported'],
  [0, 'one', 'Invalid request'],
  [0, 413],
]

const limits: readonly (readonly [name: string, rules: readonly RpcRule[]])[] = [
  ...logLimits.map(
    ([blocks, how]) =>
      [
        `logs of ${blocks} blocks: ${'status' in how ? `HTTP ${how.status}` : `${how.code} ${how.message.slice(0, 40)}`}`,
        [limitedLogs(blocks, how)],
      ] as const,
  ),
  ...batchLimits.map(
    ([most, how, message]) =>
      [`batches of ${most}: ${message ?? how}`, [limitedBatches(most, how, message)]] as const,
  ),
  ['logs of 10 blocks and batches of 3', [limitedLogs(10, http(400)), limitedBatches(3, 'each')]],
  ['no eth_feeHistory', [withoutMethod('eth_feeHistory')]],
  ['rate limit: HTTP 429, each 4th round trip', [rateLimit(http(429), { every: 4, retryAfter: '0' })]],
  [
    'rate limit: code 429, each 4th',
    [rateLimit(rpc(429, 'compute units per second exceeded'), { every: 4 })],
  ],
  [
    'rate limit: code -32005, each 4th',
    [rateLimit(rpc(-32005, 'daily request count exceeded, request rate limited'), { every: 4 })],
  ],
  ['header not found, three times', [headerNotFound({ times: 3 })]],
  ['a node that is 3 blocks behind', [laggingNode(3)]],
]

/** A limit of logs cannot affect what reads none. */
const usesUnder = (rules: readonly RpcRule[]) =>
  Object.entries(uses).filter(
    ([use]) => use.startsWith('logs ') || rules.some(({ methods }) => methods?.[0] !== 'eth_getLogs'),
  )

describe.each(limits)('a provider with %s', (_name, rules) => {
  test.each(usesUnder(rules))('behavior: %s', async (_use, use) => {
    proxy.set(...rules)
    const { network, events } = start([proxy.url], {}, Date.now)
    await use(network)
    expect(network.circuit).toBe('closed')
    expect(events.filter((event) => 'state' in event)).toEqual([])
  })
})

describe('what is learned', () => {
  const named = batchLimits.map(
    (limit) => [`${limit[0]}, refused by ${limit[2] ?? limit[1]}`, limit] as const,
  )
  test.each(named)(
    'behavior: batches of %s, are refused a few times only',
    async (_, [most, how, message]) => {
      proxy.set(limitedBatches(most, how, message))
      const { network } = start()
      for (let time = 0; time < 6; time++) await uses['many requests at once']?.(network)
      expect(network.limits[0]?.batch).toBeLessThanOrEqual(Math.max(1, most))
      expect(network.limits[0]?.batch).toBeGreaterThan(most / 2)
      proxy.take()
      await uses['many requests at once']?.(network)
      expect(proxy.take().trips).toBeLessThanOrEqual(Math.ceil(40 / (network.limits[0]?.batch ?? 1)) + 1)
    },
  )

  test.each(logLimits)('behavior: logs of %d blocks, %j', async (blocks, how) => {
    proxy.set(limitedLogs(blocks, how))
    const { network } = start()
    for (let time = 0; time < 6; time++) await uses['logs of 250 blocks']?.(network)
    // Too many results say nothing about the number of blocks.
    const isOfResults = 'message' in how && /results|size/.test(how.message)
    if (isOfResults) return
    expect(network.limits[0]?.logRange).toBeLessThanOrEqual(blocks)
    expect(network.limits[0]?.logRange).toBeGreaterThanOrEqual(Math.floor(blocks / 2))
  })

  test('behavior: a lower limit in the configuration needs no refusal', async () => {
    proxy.set(limitedLogs(10, http(400)), limitedBatches(3, 400))
    const { network } = start([proxy.url], { rpcLogRange: 10, rpcBatch: 3 })
    proxy.take()
    await uses['logs of 250 blocks']?.(network)
    await uses['many requests at once']?.(network)
    // 25 ranges in batches of 3, 40 requests in batches of 3, the chain check, and the head of these requests.
    expect(proxy.take().requests).toBe(25 + 40 + 2)
    // The same for code that asks for all of them at once.
    await network.call((client) => client.getLogs({ fromBlock: 1n, toBlock: 250n }))
    expect(proxy.take().requests).toBe(25)
  })

  test('behavior: a higher limit in the configuration is asked for at once', async () => {
    const { network } = start([proxy.url], { rpcLogRange: 10_000 })
    await headOf(network)
    proxy.take()
    await network.call((client) => client.getLogs({ fromBlock: 1n, toBlock: 10_000n }))
    expect(proxy.take().requests).toBe(1)
  })

  test('behavior: each address has its own limits', async () => {
    await using wide = await startRpcProxy(node.rpcUrl)
    proxy.set(limitedLogs(1, http(400)))
    const { network } = start([proxy.url, wide.url])
    const read = () => network.call((client) => client.getLogs({ fromBlock: 1n, toBlock: 250n }))
    await read()
    proxy.take()
    wide.take()
    await read()
    expect(network.limits.map(({ logRange }) => logRange)).toEqual([1, 2_000])
    // The first is known to accept too little, and gets no request.
    expect([proxy.take().requests, wide.take().requests]).toEqual([0, 1])
  })

  test('behavior: an hour later, larger sizes are tried again', async () => {
    proxy.set(limitedBatches(3, 'each'))
    const { network } = start()
    await uses['many requests at once']?.(network)
    proxy.set()
    clock += 3_600_000
    for (let time = 0; time < 6; time++) await uses['many requests at once']?.(network)
    expect(network.limits[0]?.batch).toBeGreaterThan(20)
  })

  // A status is the answer to the whole batch: what it says of some requests must not reach the others.
  test.each([http(413), http(400)])(
    'behavior: wide ranges in a batch spoil nothing else, %j',
    async (how) => {
      proxy.set(limitedLogs(5, how))
      const { network } = start()
      await headOf(network)
      await network.call((client) =>
        Promise.all([
          ...[1n, 2n, 3n].map((fromBlock) => client.getLogs({ fromBlock, toBlock: fromBlock + 19n })),
          client.getLogs({ fromBlock: 7n, toBlock: 7n }),
          client.getBlock({ blockNumber: 7n }),
        ]),
      )
    },
  )

  test('behavior: an outage that refuses everything teaches nothing', async () => {
    const { network } = start()
    await headOf(network)
    proxy.set({ fault: { kind: 'http', status: 400 } })
    proxy.take()
    await expect(uses['many requests at once']?.(network)).rejects.toThrow()
    await expect(uses['logs of 250 blocks']?.(network)).rejects.toThrow()
    expect(proxy.take().trips).toBeLessThan(60)
    expect(network.limits).toMatchObject([{ batch: 50, logRange: 2_000 }])
    proxy.set()
    await uses['many requests at once']?.(network)
  })
})

describe('the number of requests', () => {
  const results = rpc(-32005, 'query returned more than 10000 results')
  const whole: readonly (readonly [string, Refusal])[] = [
    ['as too wide', http(400)],
    ['as too many results', results],
  ]
  test.each(whole)(
    'behavior: a node that refuses every range, %s, gets one request for each half',
    async (_, how) => {
      const { network } = start()
      await headOf(network)
      proxy.set(limitedLogs(0, how))
      proxy.take()
      await expect(uses['logs of 250 blocks']?.(network)).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
      // 250 blocks, 125 and so on to 1.
      expect(proxy.take().requests).toBeLessThanOrEqual(9)
    },
  )

  test('behavior: one request for logs meets a limited number of refusals', async () => {
    proxy.set(limitedLogs(1, results))
    const { network } = start()
    proxy.take()
    const read = network.call((client) => client.getLogs({ fromBlock: 1n, toBlock: 250n }))
    await expect(read).rejects.toMatchObject({ code: 'NETWORK_FAILED', details: { reason: 'LIMIT_TOO_LOW' } })
    expect(proxy.take().requests).toBeLessThanOrEqual(2 * 64 + 1)
    await uses['logs of 250 blocks']?.(network)
  })

  test('behavior: an address that accepts shorter ranges is used, although the next refuses them all', async () => {
    await using other = await startRpcProxy(node.rpcUrl)
    proxy.set(limitedLogs(1, http(400)))
    other.set(limitedLogs(0, http(400)))
    await uses['logs of 250 blocks']?.(start([proxy.url, other.url]).network)
  })

  test('behavior: work counts all that it sends, and nothing else', async () => {
    proxy.set(limitedLogs(7, http(413)), limitedBatches(3, 'each'))
    const { network } = start([proxy.url], { rpcConcurrency: 4 })
    proxy.take()
    const counted = { one: 0, other: 0 }
    await Promise.all([
      countRequests(
        () => void counted.one++,
        async () => uses['logs of 250 blocks']?.(network),
      ),
      countRequests(
        () => void counted.other++,
        async () => uses['many requests at once']?.(network),
      ),
    ])
    expect(counted.one + counted.other).toBe(proxy.take().requests)
    await countRequests(
      () => void counted.other++,
      async () => {},
    )
    const { one } = counted
    await headOf(network)
    expect(counted.one).toBe(one)
  })
})

describe('a rate limit', () => {
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => 'answered',
      (error: unknown) => error,
    )
  const forms: readonly (readonly [string, Refusal])[] = [
    ['HTTP 429', http(429)],
    ['code 429', rpc(429, 'Your app has exceeded its compute units per second capacity')],
    ['code -32005', rpc(-32005, 'limit exceeded')],
    ['words only', rpc(-32000, 'Too many requests, please slow down')],
  ]

  test.each(forms)(
    'behavior: %s is no outage: requests wait, and the circuit stays closed',
    async (_, how) => {
      const { network, events } = start([proxy.url], {}, Date.now)
      await headOf(network)
      proxy.set(rateLimit(how, { times: 1 }))
      proxy.take()
      expect(await headOf(network)).toBeTypeOf('bigint')
      expect(proxy.take().trips).toBe(2)
      expect(network.circuit).toBe('closed')
      expect(events).toMatchObject([{ endpoint: 1, pause: 1_000 }])
    },
  )

  test.each([
    ['seconds', () => '3600'],
    ['a date', () => new Date(Date.now() + 3_600_000).toUTCString()],
  ])('error: says that requests are limited and until when, by %s', async (_, retryAfter) => {
    const { network, events } = start()
    await headOf(network)
    proxy.set(rateLimit(http(429), { retryAfter: retryAfter() }))
    const error = await failure(headOf(network))
    expect(error).toMatchObject({
      code: 'NETWORK_UNAVAILABLE',
      message: expect.stringContaining('limits the number of requests'),
      details: { reason: 'PROVIDER_LIMIT' },
    })
    const { details } = error as { details: { retryAfter: number } } // checked above
    expect(details.retryAfter).toBeGreaterThan(3_590)
    expect(details.retryAfter).toBeLessThanOrEqual(3_600)
    // As told, nothing is sent meanwhile, and the network is not down.
    proxy.take()
    await failure(headOf(network))
    expect(proxy.take().trips).toBe(0)
    expect(await network.health()).toEqual({ status: 'up', block: null })
    expect(network.rateLimit).toBeGreaterThan(3_590_000)
    expect(events).toHaveLength(1)
    proxy.set()
    clock += 3_600_001
    expect(await headOf(network)).toBeTypeOf('bigint')
    expect(network.rateLimit).toBe(0)
  })

  test('behavior: the next address is used meanwhile', async () => {
    await using other = await startRpcProxy(node.rpcUrl)
    proxy.set(rateLimit(http(429), { retryAfter: '60' }))
    const { network } = start([proxy.url, other.url])
    expect(await headOf(network)).toBeTypeOf('bigint')
    proxy.take()
    expect(await headOf(network)).toBeTypeOf('bigint')
    expect(proxy.take().trips).toBe(0)
    expect(network.rateLimit).toBe(0)
  })

  test("behavior: a contract's words are no provider's words", async () => {
    const { network, events } = start()
    await headOf(network)
    proxy.set({
      methods: ['eth_call'],
      fault: {
        kind: 'error',
        code: 3,
        message: 'execution reverted: rate limit exceeded, too many requests',
      },
    })
    await failure(network.call((client) => client.call({ to: multicall3 })))
    expect(network.rateLimit).toBe(0)
    expect(events).toEqual([])
  })
})

describe('words of nobody', () => {
  const unseen: readonly Refusal[] = [
    rpc(-32099, 'computer says no'),
    rpc(-32000, ''),
    rpc(1, 'Überlauf der Warteschlange'),
    http(418, 'teapot'),
  ]
  /** The default of each use: an error that blames neither the request nor an outage, and that teaches no limit. */
  describe.each(unseen)('%j', (how) => {
    test.each(Object.entries(uses))('behavior: %s', async (name, use) => {
      const { network, events } = start([proxy.url], {}, Date.now)
      await headOf(network)
      const methods = ['eth_call', 'eth_getLogs', 'eth_getBalance', 'eth_feeHistory', 'eth_getBlockByNumber']
      const fault =
        'status' in how ? ({ kind: 'http', ...how } as const) : ({ kind: 'error', ...how } as const)
      proxy.set({ methods, fault })
      proxy.take()
      const outcome = await use(network).then(
        () => 'works',
        (error: { code: string }) => error.code,
      )
      // Health needs none of these methods.
      const isStatus = 'status' in how
      expect(outcome).toBe(name === 'health' ? 'works' : isStatus ? 'NETWORK_UNAVAILABLE' : 'NETWORK_FAILED')
      expect(network.limits).toMatchObject([{ batch: 50, logRange: 2_000, rateLimited: 0 }])
      if (!isStatus) expect(events).toEqual([])
      // The parts of a range of logs, down to one block.
      expect(proxy.take().trips).toBeLessThan(60)
    })
  })
})

describe('what the network lacks is said', () => {
  const cases: readonly (readonly [string, RpcRule, string, string])[] = [
    ['state overrides', refusedOverrides(), 'a call with overrides', 'state overrides'],
    ['state overrides, which it ignores', ignoredOverrides(), 'a call with overrides', 'state overrides'],
    ['logs', withoutMethod('eth_getLogs'), 'logs of 250 blocks', 'does not offer eth_getLogs'],
    [
      'logs of a single block',
      limitedLogs(0, rpc(-32000, 'logs are disabled')),
      'logs of 250 blocks',
      'eth_getLogs',
    ],
  ]
  // A tag is not a matter of time: nobody waits for it.
  test.each(
    (['finalized', 'safe'] as const).flatMap((tag) =>
      (['error', 'null'] as const).map((answer) => [tag, answer] as const),
    ),
  )('error: %s as the configured tag, by %s, is asked for once', async (tag, answer) => {
    proxy.set(withoutTag(tag, answer))
    const { network } = start([proxy.url], { finality: { tag } })
    await headOf(network)
    proxy.take()
    await expect(network.finalizedBlock()).rejects.toMatchObject({
      code: 'NETWORK_FAILED',
      message: expect.stringContaining(`"${tag}"`),
      details: { reason: 'NO_FINALITY_TAG' },
    })
    // Together with the head.
    expect(proxy.take().requests).toBe(2)
  })

  test.each(cases)('error: %s', async (_, rule, use, words) => {
    proxy.set(rule)
    const { network } = start()
    const error = await uses[use]?.(network).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'NETWORK_FAILED', message: expect.stringContaining(words) })
    expect(network.circuit).toBe('closed')
  })
})

test.each([
  ['refuses', refusedOverrides],
  ['ignores', ignoredOverrides],
])('behavior: the next address simulates if the first %s overrides', async (_, fault) => {
  await using other = await startRpcProxy(node.rpcUrl)
  proxy.set(fault())
  await uses['a call with overrides']?.(start([proxy.url, other.url]).network)
})

test('behavior: logs that an endpoint splits are complete and in order', async () => {
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) })
  proxy.set(limitedLogs(7, http(413)))
  const { network } = start()
  const read = (at: Network) => at.call((client) => client.getLogs({ fromBlock: 0n, toBlock: 250n }))
  await chain.mine({ blocks: 1 })
  const split = await read(network)
  proxy.set()
  expect(split).toEqual(await read(start().network))
})

describe('a filter of many addresses or topics', () => {
  const emitters = [3, 120, 121, 350, 499]
  const addresses = Array.from({ length: 500 }, (_, index) => numberToHex(0xabc0000 + index, { size: 20 }))
  const chain = () =>
    createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) })
      .extend(publicActions)
      .extend(walletActions)
  let first = 0n
  /** Of the emitters. */
  const blocks: Hash[] = []
  beforeAll(async () => {
    first = await chain().getBlockNumber()
    // Later addresses first, so that the parts have to be put in order. Each emits its own address as a topic.
    for (const index of emitters.toReversed()) {
      const address = addresses[index] ?? '0x'
      await chain().setCode({ address, bytecode: '0x305f5fa1' }) // LOG1 with ADDRESS
      const account = devAccounts[3]?.address ?? '0x'
      const hash = await chain().sendTransaction({ account, chain: null, to: address, gas: 100_000n })
      blocks.push((await chain().waitForTransactionReceipt({ hash })).blockHash)
    }
  })

  const filters = {
    addresses: { address: addresses },
    topics: { topics: [addresses.map((one) => pad(one))] },
  }
  const read = async ({ call }: Network, filter: object) => {
    const block = await chain().getBlockNumber()
    return call((client) =>
      client.request({
        method: 'eth_getLogs',
        params: [{ ...filter, fromBlock: numberToHex(first), toBlock: numberToHex(block) }],
      }),
    )
  }
  const limits: [number, Refusal][] = [
    [100, { code: -32602, message: 'exceed max addresses or topics per search position' }],
    [1, { status: 400 }],
    [250, { status: 413 }],
  ]
  const cases = limits.flatMap(([most, how]) =>
    Object.entries(filters).map(([kind, filter]) => [kind, most, how, filter] as const),
  )

  test.each(cases)(
    'behavior: %s are split at %d, refused by %j, and the limit is learned',
    async (_, most, how, filter) => {
      const whole = await read(start().network, filter)
      expect(whole).toHaveLength(emitters.length)
      proxy.set(limitedNames(most, how))
      const { network } = start()
      for (let time = 0; time < 6; time++) expect(await read(network, filter)).toEqual(whole)
      proxy.take()
      expect(await read(network, filter)).toEqual(whole)
      expect(proxy.take().requests).toBeLessThanOrEqual((2 * 500) / most)
    },
  )

  const readBlocks = async ({ call }: Network, filter: object) => {
    const found: unknown[] = []
    for (const blockHash of blocks)
      found.push(
        ...(await call((client) =>
          client.request({ method: 'eth_getLogs', params: [{ ...filter, blockHash }] }),
        )),
      )
    return found
  }

  test.each(cases)(
    'behavior: %s are split at %d, refused by %j, in a block by its hash',
    async (_, most, how, filter) => {
      const whole = await readBlocks(start().network, filter)
      expect(whole).toHaveLength(emitters.length)
      proxy.set(limitedNames(most, how))
      expect(await readBlocks(start().network, filter)).toEqual(whole)
    },
  )

  test('behavior: addresses and topics are both split', async () => {
    const some = addresses.slice(119, 122)
    const filter = { address: some, topics: [some.map((one) => pad(one))] }
    const whole = await read(start().network, filter)
    expect(whole).toHaveLength(2)
    proxy.set(limitedNames(1, { status: 400 }))
    expect(await read(start().network, filter)).toEqual(whole)
    expect(await readBlocks(start().network, filter)).toEqual(whole)
  })

  test('behavior: an address that reads no block by its hash is still asked for ranges in parts', async () => {
    const whole = await read(start().network, filters.addresses)
    const message = 'invalid params: unknown field `blockHash`'
    const byHash = ({ params: [filter] = [] }: RpcRequest) => Object.hasOwn(filter as object, 'blockHash')
    proxy.set(
      { methods: ['eth_getLogs'], fault: { kind: 'refuse', code: -32602, message, when: byHash } },
      limitedNames(100, { status: 400 }),
    )
    const { network } = start()
    await expect(readBlocks(network, filters.addresses)).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
    expect(await read(network, filters.addresses)).toEqual(whole)
  })

  test('behavior: a provider without logs is asked for one name more, and nothing is learned', async () => {
    const { network } = start()
    proxy.set(limitedLogs(0, { code: -32005, message: 'limit exceeded' }))
    proxy.take()
    await expect(read(network, filters.addresses)).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
    proxy.set()
    proxy.take()
    expect(await read(network, filters.addresses)).toHaveLength(emitters.length)
    expect(proxy.take().requests).toBe(1)
  })
})

test.each([
  ['names', [imitatedProviders.tenBlocks.rules()[0]]],
  ['does not name', [limitedLogs(10, http(413))]],
] as const)(
  'behavior: a search of recent blocks has a budget of requests: the provider takes ten blocks, which its refusal %s',
  async (_, rules) => {
    proxy.set(...rules.flatMap((rule) => rule ?? []))
    const { network } = start()
    const search = async () => {
      proxy.take()
      const pages = await Array.fromAsync(
        walkRecent(network, { window: 1e12, atMost: 60_000, requests: 20, logsOfPage: 2 }, (client, range) =>
          Promise.all([client.getLogs(range), client.getLogs({ ...range, address: multicall3 })]),
        ),
      )
      const blocks = pages.reduce((sum, page) => sum + Number(page.toBlock - page.fromBlock) + 1, 0)
      return { blocks, requests: proxy.take().requests }
    }
    await search() // learns how many blocks the provider takes
    const { blocks, requests } = await search()
    // Ten requests for each of the two filters, of ten blocks, or of a few less while nothing names the number.
    expect(blocks).toBeGreaterThanOrEqual(50)
    expect(blocks).toBeLessThanOrEqual(100)
    // Besides: the head, the oldest block of each page, and refusals of wider ranges, which are tried again.
    expect(requests).toBeLessThanOrEqual(20 + 20)
  },
)
