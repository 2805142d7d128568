/** @module-tag all */
import { type DevnetNode, localTransport, startNode } from '@lanyard/devnet'
import { laggingNode, limitedBatches, type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { createTestClient, publicActions } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createNetworks, networkConfig } from './index.ts'
import { blockShown } from './rpc-answers.ts'

let node: DevnetNode
let proxy: RpcProxy
let other: RpcProxy
beforeAll(async () => {
  node = await startNode()
  proxy = await startRpcProxy(node.rpcUrl)
  other = await startRpcProxy(node.rpcUrl)
})
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await other?.[Symbol.asyncDispose]()
  await node?.stop()
})
beforeEach(() => {
  proxy.set()
  other.set()
})

const chain = () =>
  createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) }).extend(publicActions)

/** Each test has its own registry, because a network remembers the highest block. */
function start(rpcUrls = [proxy.url], now = Date.now) {
  const config = networkConfig.parse({ chainId: 31337, name: 'Test', rpcUrls, rpcTimeout: 20_000 })
  return createNetworks([config], now).get(31337)
}

/**
 * A clock with which the chain check, due each five seconds, is made once. It is a round trip too: with it, each retry of a
 * read could be one that reaches the node that is behind.
 */
const still = () => 0

const address = '0x00000000000000000000000000000000000a11ed'

/** A balance changes in a block of its own, and the network shows that block. */
async function pay(network: ReturnType<typeof start>, value: bigint) {
  await chain().setBalance({ address, value })
  await chain().mine({ blocks: 1 })
  await network.head()
}

describe('a node that is behind', () => {
  const cases = [
    ['in batches', []],
    ['without batches', [limitedBatches(0, 400)]],
  ] as const
  test.each(cases)('behavior: a read never goes back, %s', async (_, rules) => {
    const network = start([proxy.url], still)
    proxy.set(...rules)
    await Promise.all([
      network.head(),
      network.fees(),
      network.call((client) => client.getBalance({ address })),
    ])
    for (let value = 1n; value <= 8n; value++) {
      proxy.set(...rules)
      await pay(network, value)
      proxy.set(...rules, laggingNode(1, 2))
      const [balance, called] = await network.call((client) =>
        Promise.all([client.getBalance({ address }), client.getTransactionCount({ address })]),
      )
      expect([balance, called]).toEqual([value, 0])
    }
  })

  const refused = (['each', 'one', 413, 403] as const).flatMap((how) =>
    [2, 3].map((every) => [how, every] as const),
  )
  test.each(refused)(
    'behavior: no part of a refused batch goes back: refused by %s, each %d. round trip is behind',
    async (how, every) => {
      const network = start([proxy.url], still)
      const value = (await chain().getBalance({ address })) + 1n
      await pay(network, value)
      proxy.set(limitedBatches(20, how), laggingNode(3, every)) // there is a block each second
      const balances = await network.call((client) =>
        Promise.all(Array.from({ length: 40 }, () => client.getBalance({ address }))),
      )
      expect(new Set(balances)).toEqual(new Set([value]))
    },
  )

  test('behavior: its fallback answers, if it has the block', async () => {
    const network = start([proxy.url, other.url])
    await pay(network, 21n)
    proxy.set(laggingNode(20, 1)) // there is a block each second, and a slow test reads several later
    other.take()
    expect(await network.call((client) => client.getBalance({ address }))).toBe(21n)
    expect(other.take().requests).toBeGreaterThan(0)
  })

  test('error: a fallback that lags behind is refused, and says that it is temporary', async () => {
    const network = start([proxy.url, other.url])
    await pay(network, 22n)
    proxy.set({ fault: { kind: 'http', status: 503 } })
    other.set(laggingNode(20, 1)) // there is a block each second
    await expect(network.call((client) => client.getBalance({ address }))).rejects.toMatchObject({
      code: 'NETWORK_UNAVAILABLE',
      details: { reason: 'NODE_BEHIND', retryAfter: 1 },
    })
    other.set()
    expect(await network.call((client) => client.getBalance({ address }))).toBe(22n)
  })

  test('behavior: a fallback that makes up a head decides nothing', async () => {
    const network = start([proxy.url, other.url])
    await pay(network, 23n)
    other.set({
      methods: ['eth_blockNumber'],
      fault: { kind: 'lie', change: () => '0xffffffff' },
    })
    proxy.set({ fault: { kind: 'http', status: 503 }, times: 2 })
    const read = () => network.call((client) => client.getBalance({ address }))
    await read()
    proxy.set()
    other.take()
    expect(await read()).toBe(23n)
    expect(other.take().requests).toBe(0)
  })
})

test('behavior: after a reorg to fewer blocks, the newest block counts', async () => {
  const network = start()
  const snapshot = await chain().snapshot()
  await pay(network, 31n)
  await pay(network, 32n)
  await chain().revert({ id: snapshot })
  await chain().setBalance({ address, value: 30n })
  const reads = Array.from({ length: 20 }, () => network.call((client) => client.getBalance({ address })))
  expect(new Set(await Promise.all(reads))).toEqual(new Set([30n]))
})

test.each([null, 'none', [], [null], [{ blockNumber: null }]])(
  'error: an answer without a block proves none: %j',
  (answer) => {
    for (const method of ['eth_blockNumber', 'eth_getTransactionReceipt', 'eth_getLogs'])
      expect(blockShown(method, [], answer)).toBeUndefined()
    expect(blockShown('eth_getBlockByNumber', ['latest'], answer)).toBeUndefined()
  },
)
