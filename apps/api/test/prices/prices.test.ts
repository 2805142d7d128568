import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localTransport } from '@lanyard/devnet'
import { createNetworks, networkConfig } from '@lanyard/networks'
import { type Address, createTestClient } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPrices } from '../../src/domain/prices/prices.ts'
import { type HttpService, startHttpService } from '../http-service.ts'
import { feedCode } from '../price-feed.ts'

const ethFeed: Address = '0x00000000000000000000000000000000000feed1'
const usdcFeed: Address = '0x00000000000000000000000000000000000feed2'
const token: Address = '0x0000000000000000000000000000000000000042'
const maximumAge = 3_600
const settings = {
  settlementToken: { address: token, symbol: 'USDC', decimals: 6 },
  priceFeeds: { ETH: { feed: ethFeed, maximumAge }, USDC: { feed: usdcFeed, maximumAge } },
}

/** What the HTTP source answers. */
let answer: { readonly status?: number; readonly body: string } = { body: '' }
let requests = 0
const source = createServer((_, response) => {
  requests += 1
  response.writeHead(answer.status ?? 200, { location: '/other' }).end(answer.body)
})
let sourceUrl: string

let running: HttpService
beforeAll(async () => {
  source.listen(0, '127.0.0.1')
  await once(source, 'listening')
  sourceUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}/prices?key=secret`
  running = await startHttpService({ PRICE_SOURCE: 'chainlink' }, settings)
})
afterAll(async () => {
  source.close()
  await running[Symbol.asyncDispose]()
})

const start = 1_800_000_000
const setFeed = (feed: Address, price: bigint, updatedAt: number) =>
  createTestClient({ mode: 'anvil', transport: localTransport(running.node.rpcUrl) }).setCode({
    address: feed,
    bytecode: feedCode({ answer: price, updatedAt, description: '' }),
  })

/** Prices of their own, with a clock that the test moves. Seconds. */
function pricesOf(from: string | undefined) {
  const clock = { seconds: start }
  const now = () => new Date(clock.seconds * 1_000)
  const entry = { chainId: running.node.chainId, name: 'Test', rpcUrls: [running.node.rpcUrl], ...settings }
  const networks = createNetworks([networkConfig.parse(entry)], () => now().getTime())
  const warnings: unknown[] = []
  const log = { warn: (...line: unknown[]) => void warnings.push(line) }
  const prices = createPrices({ source: from, networks, now, log })
  const shown = async () =>
    (await prices.read()).map(({ token: of, price }) => `${of ? 'USDC' : 'ETH'} ${price}`)
  return { clock, warnings, prices, shown }
}

test('default: GET /prices answers each currency that has a feed', async () => {
  const now = Math.floor(Date.now() / 1_000)
  await setFeed(ethFeed, 251_234_567_890n, now)
  await setFeed(usdcFeed, 99_990_000n, now)
  const response = await fetch(`${running.url}/prices`)
  const at = new Date(now * 1_000).toISOString()
  const rest = { network: running.node.chainId, currency: 'USD', at, source: 'chainlink' }
  expect(await response.json()).toEqual({
    prices: [
      { ...rest, token: null, price: '2512.3456789' },
      { ...rest, token, price: '0.9999' },
    ],
  })
})

test('attack: an HTTP source that knows only symbols prices no test money', async () => {
  const price = { price: '2500', at: new Date(start * 1_000).toISOString() }
  answer = { body: JSON.stringify({ currency: 'USD', prices: { ETH: price, USDC: price, POL: price } }) }
  const { rpcUrl } = running.node
  const entries = [
    { chainId: 1, name: 'Real', rpcUrls: [rpcUrl] },
    { chainId: 11_155_111, name: 'Sepolia', rpcUrls: [rpcUrl], testnet: true },
    { chainId: 31_337, name: 'Local', rpcUrls: [rpcUrl], local: true },
    { preset: 'base-sepolia', rpcUrls: [rpcUrl] },
    { preset: 'polygon-amoy', rpcUrls: [rpcUrl] },
  ]
  const now = () => new Date(start * 1_000)
  const networks = createNetworks(
    entries.map((entry) => networkConfig.parse(entry)),
    () => now().getTime(),
  )
  const prices = createPrices({ source: sourceUrl, networks, now, log: { warn() {} } })
  expect((await prices.read()).map(({ network }) => network)).toEqual([1])
  const checked = await Promise.all(networks.list().map((network) => prices.check(network)))
  expect(checked.map((one) => one.length)).toEqual([1, 0, 0, 0, 0])
})

test('behavior: without PRICE_SOURCE there are no prices, and nothing is asked', async () => {
  const { shown, warnings } = pricesOf(undefined)
  expect([await shown(), warnings]).toEqual([[], []])
})

describe('a feed', () => {
  test.each([
    ['of 0', 0n, start],
    ['below 0', -1n, start],
    ['of 10^30', 10n ** 38n, start],
    ['that is too old', 1n, start - maximumAge - 1],
    ['from the future', 1n, start + 301],
    ['from the end of time', 1n, Number.MAX_SAFE_INTEGER],
  ])('behavior: an answer %s is left out, and the other price stays', async (_, price, updatedAt) => {
    await setFeed(ethFeed, price, updatedAt)
    await setFeed(usdcFeed, 100_000_000n, start)
    expect(await pricesOf('chainlink').shown()).toEqual(['USDC 1'])
  })

  test('behavior: the last price outlives a failure until it is too old', async () => {
    await setFeed(ethFeed, 250_000_000_000n, start)
    await setFeed(usdcFeed, 100_000_000n, start)
    const { clock, shown, warnings } = pricesOf('chainlink')
    expect(await shown()).toEqual(['ETH 2500', 'USDC 1'])
    await setFeed(ethFeed, 0n, start)
    clock.seconds += maximumAge
    expect(await shown()).toEqual(['ETH 2500', 'USDC 1'])
    expect(warnings).toHaveLength(1)
    clock.seconds += 1
    expect(await shown()).toEqual([])
  })
})

describe('an HTTP source', () => {
  const at = new Date(start * 1_000).toISOString()
  const of = (prices: object) => ({ body: JSON.stringify({ currency: 'USD', prices }) })
  const usdc = { USDC: { price: '1', at } }

  test('behavior: prices by symbol, with one request a minute', async () => {
    answer = of({ ETH: { price: '2512.34', at }, ...usdc, OTHER: { price: '7', at } })
    const { clock, shown } = pricesOf(sourceUrl)
    requests = 0
    await Promise.all([shown(), shown()])
    clock.seconds += 59
    expect(await shown()).toEqual(['ETH 2512.34', 'USDC 1'])
    expect(requests).toBe(1)
    clock.seconds += 1
    await shown()
    expect(requests).toBe(2)
    // A price counts for an hour.
    answer = { status: 500, body: '' }
    clock.seconds = start + 3_600
    expect(await shown()).toEqual(['ETH 2512.34', 'USDC 1'])
    clock.seconds += 1
    expect(await shown()).toEqual([])
  })

  test.each([
    { price: 'NaN', at },
    { price: '0', at },
    { price: '0.000', at },
    { price: '-1', at },
    { price: '1e30', at },
    { price: '1000000000000000000000000000000', at },
    { price: '0x1', at },
    { price: '١', at },
    { price: 2512.34, at },
    { price: '2512.34' },
    { price: '2512.34', at: 'yesterday' },
    null,
  ])('behavior: %j is no price, and the other one stays', async (price) => {
    answer = of({ ETH: price, ...usdc })
    expect(await pricesOf(sourceUrl).shown()).toEqual(['USDC 1'])
  })

  test.each([
    { status: 500, body: '' },
    { status: 302, body: '' },
    { body: '<html>' },
    { body: '{"currency":"EUR","prices":{"ETH":{"price":"1"}}}' },
    { body: ' '.repeat(600 * 1_024) },
  ])('behavior: a source that answers $status is no error of the service', async (wrong) => {
    answer = wrong
    const { shown, warnings } = pricesOf(sourceUrl)
    requests = 0
    expect([await shown(), await shown()]).toEqual([[], []])
    // A failure is shared as well.
    expect([requests, warnings.length]).toEqual([1, 2])
  })
})
