import { localTransport, startNode } from '@lanyard/devnet'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { createTestClient } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { networkConfig } from './config.ts'
import { createNetworks, multicall3 } from './create-networks.ts'
import type { UnconfirmedReason } from './quorum.ts'
import { originOf } from './rpc-origins.ts'

const chainId = 31337
const resources = new AsyncDisposableStack()
let proxies: readonly [RpcProxy, RpcProxy, RpcProxy]
beforeAll(async () => {
  const node = resources.use(await startNode({ chainId }))
  const start = async () => resources.use(await startRpcProxy(node.rpcUrl))
  proxies = [await start(), await start(), await start()]
})
afterAll(() => resources.disposeAsync())
afterEach(() => {
  for (const proxy of proxies) proxy.set()
})

function quorumOf(settings: object) {
  const reasons: UnconfirmedReason[] = []
  const urls = proxies.map(({ url }) => url)
  const config = networkConfig.parse({ chainId, name: 'Real', rpcUrls: urls, ...settings })
  const { quorum } = createNetworks([config], Date.now, {
    unconfirmed: (_, reason) => reasons.push(reason),
  }).get(chainId)
  return { quorum, reasons }
}
const three = { rpcOrigins: ['a', 'b', 'c'] }
const silent = { fault: { kind: 'http', status: 500, body: '{}' } } as const

describe('origins', () => {
  test.each([
    ['https://base-mainnet.g.alchemy.com/v2/key', 'alchemy.com'],
    ['https://key.base.quiknode.pro/token', 'quiknode.pro'],
    ['http://10.0.0.7:8545', '10.0.0.7'],
    ['http://[::1]:8545', '[::1]'],
    ['http://geth.chains.svc.cluster.local:8545', 'geth.chains.svc.cluster.local'],
    ['http://geth:8545', 'geth'],
  ])('behavior: %s', (url, origin) => {
    expect(originOf(url)).toBe(origin)
  })

  test('error: RPCs of one origin, unless the network is local or the risk is accepted', () => {
    const { quorum, reasons } = quorumOf({})
    expect(() => quorum.require()).toThrow(expect.objectContaining({ code: 'NETWORK_UNCONFIRMED' }))
    expect(reasons).toEqual(['alone'])
    for (const setting of [{ local: true }, { oneLyingRpcMayTakeLiquidity: true }, three])
      expect(() => quorumOf(setting).quorum.require()).not.toThrow()
  })

  test('error: a list of origins that does not fit the addresses', () => {
    expect(() => quorumOf({ rpcOrigins: ['a'] })).toThrow('Expected one origin for each of rpcUrls')
  })
})

test('behavior: the third origin replaces a silent one, and then nobody does', async () => {
  const { quorum, reasons } = quorumOf(three)
  proxies[0].set(silent)
  expect(await quorum.final()).toMatchObject({ number: expect.any(BigInt) })
  proxies[2].set(silent)
  await expect(quorum.final()).rejects.toMatchObject({
    code: 'NETWORK_UNCONFIRMED',
    details: { network: chainId, reason: 'silent' },
  })
  expect(reasons).toEqual(['silent'])
  proxies[1].set(silent)
  await expect(quorum.final()).rejects.toMatchObject({ code: 'NETWORK_UNAVAILABLE' })
})

test('behavior: one block hash does not make two answers of eth_call one', async () => {
  const { quorum, reasons } = quorumOf(three)
  const block = await quorum.head()
  const request = { to: multicall3, data: '0x42cbb15c' } as const // getBlockNumber()
  // At this block, not at the newest.
  await createTestClient({ mode: 'anvil', transport: localTransport(proxies[2].url) }).mine({ blocks: 2 })
  expect(BigInt(await quorum.call(block, request))).toBe(block.number)
  proxies[1].set({ methods: ['eth_call'], fault: { kind: 'lie', change: () => `0x${'00'.repeat(31)}ff` } })
  await expect(quorum.call(block, request)).rejects.toMatchObject({ details: { reason: 'disagree' } })
  expect(reasons).toEqual(['disagree'])
})

test('behavior: a block that the other origin does not have is not agreed on', async () => {
  const { quorum } = quorumOf(three)
  const madeUp = `0x${'ab'.repeat(32)}`
  proxies[0].set({
    methods: ['eth_getBlockByNumber'],
    fault: { kind: 'lie', change: (block) => ({ ...(block as object), hash: madeUp }) },
  })
  await expect(quorum.head()).rejects.toMatchObject({ details: { reason: 'apart' } })
  await expect(quorum.final()).rejects.toMatchObject({ details: { reason: 'disagree' } })
})
