import { type DevnetNode, localTransport, startNode } from '@lanyard/devnet'
import { type Address, concat, createTestClient, type Hex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNetworks, networkConfig } from './index.ts'

const feed: Address = '0x00000000000000000000000000000000000feed1'
const maximumAge = 3600
/** The service's clock; the chain's own clock is not used. Seconds. */
const now = 1_800_000_000

let node: DevnetNode
beforeAll(async () => {
  node = await startNode()
})
afterAll(() => node.stop())

/**
 * Puts a price feed on the chain: an aggregator in 33 bytes of code, which returns the words that follow it.
 */
async function placeFeed(round: { answer: bigint; updatedAt: number; decimals?: number }): Promise<void> {
  const words = [1n, round.answer, BigInt(round.updatedAt), BigInt(round.updatedAt), 1n]
  const bytecode = concat([
    '0x5f3560e01c63313ce56714601857', // selector of decimals()? then 0x18
    '0x60a060215f3960a05ff3', // else the five words of latestRoundData()
    concat(['0x5b60', toHex(round.decimals ?? 8, { size: 1 }), '0x5f5260205ff3']),
    ...words.map((word): Hex => toHex(BigInt.asUintN(256, word), { size: 32 })),
  ])
  await testClient().setCode({ address: feed, bytecode })
}

const testClient = () => createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) })

/** Each test has its own registry, because responses are cached. */
function network(nativePrice: object | undefined, clock: () => number = () => now * 1000) {
  const config = { chainId: 31337, name: 'Test', rpcUrls: [node.rpcUrl], ...(nativePrice && { nativePrice }) }
  return createNetworks([networkConfig.parse(config)], clock).get(31337)
}
const chainlink = { kind: 'chainlink', feed, maximumAge }

describe('nativePrice', () => {
  test('args: fixed', async () => {
    expect(await network({ kind: 'fixed', price: '2500000000' }).nativePrice()).toBe(2_500_000_000n)
  })

  test.each([
    { decimals: 8, answer: 2_512_34567890n, units: 2_512_345679n },
    { decimals: 18, answer: 2_500_000000000000000001n, units: 2_500_000001n },
    { decimals: 2, answer: 2_500_17n, units: 2_500_170000n },
  ])('args: chainlink with $decimals decimals, rounded up', async ({ decimals, answer, units }) => {
    await placeFeed({ answer, decimals, updatedAt: now - 10 })
    expect(await network(chainlink).nativePrice()).toBe(units)
  })

  test('behavior: accepts an answer of exactly the maximum age, and rejects one that is a second older', async () => {
    await placeFeed({ answer: 1n, updatedAt: now - maximumAge })
    expect(await network(chainlink).nativePrice()).toBe(1n)
    await placeFeed({ answer: 1n, updatedAt: now - maximumAge - 1 })
    await expect(network(chainlink).nativePrice()).rejects.toMatchObject({
      code: 'NETWORK_FAILED',
      message: expect.stringContaining('3601 seconds old, and at most 3600 is allowed'),
    })
  })

  test('behavior: a rate for fees that cannot be read is asked for again a second later', async () => {
    let clock = now * 1_000
    const config = {
      ...{ chainId: 31337, name: 'Test', rpcUrls: [node.rpcUrl], nativePrice: chainlink },
      settlementToken: { address: feed, symbol: 'USDC', decimals: 6 },
    }
    const [token] = createNetworks([networkConfig.parse(config)], () => clock).get(31337).feeTokens
    await placeFeed({ answer: 0n, updatedAt: now })
    await expect(token?.rate()).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
    await placeFeed({ answer: 2_500_00000000n, updatedAt: now })
    clock += 999
    await expect(token?.rate()).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
    clock += 1
    expect(await token?.rate()).toMatchObject({ rate: 2_500_000_000n })
  })

  test.each([0n, -1n])('error: NETWORK_FAILED for the answer %s', async (answer) => {
    await placeFeed({ answer, updatedAt: now })
    await expect(network(chainlink).nativePrice()).rejects.toMatchObject({
      code: 'NETWORK_FAILED',
      message: expect.stringContaining('does not return a positive price'),
    })
  })

  test('error: NETWORK_FAILED if no round is complete', async () => {
    await placeFeed({ answer: 1n, updatedAt: 0 })
    await expect(network(chainlink).nativePrice()).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
  })

  test.each(['0x', '0x5f5ffd'] as const)('error: NETWORK_FAILED if the code is %s', async (bytecode) => {
    await testClient().setCode({ address: feed, bytecode })
    await expect(network(chainlink).nativePrice()).rejects.toMatchObject({
      code: 'NETWORK_FAILED',
      message: expect.stringContaining('no price feed'),
    })
  })

  test('behavior: caches an answer for 15 seconds, and never a failure', async () => {
    let clock = now * 1000
    const { nativePrice } = network(chainlink, () => clock)
    await placeFeed({ answer: 0n, updatedAt: now })
    await expect(nativePrice()).rejects.toThrow()
    await placeFeed({ answer: 100n, updatedAt: now })
    expect(await nativePrice()).toBe(1n)
    await placeFeed({ answer: 300n, updatedAt: now })
    clock += 14_999
    expect(await nativePrice()).toBe(1n)
    clock += 1
    expect(await nativePrice()).toBe(3n)
  })

  test('error: NO_SMART_BALANCE without a configured price', async () => {
    await expect(network(undefined).nativePrice()).rejects.toMatchObject({ code: 'NO_SMART_BALANCE' })
  })
})

describe('configuration', () => {
  const base = { chainId: 1, name: 'Test', rpcUrls: ['http://127.0.0.1:9'], smartBalance: feed }
  const settlementToken = { address: feed, symbol: 'USDC', decimals: 6 }
  const nativePrice = { kind: 'fixed', price: '2500000000' }
  const issuesOf = (config: object) =>
    networkConfig.safeParse(config).error?.issues.map(({ path }) => path.join('.')) ?? []

  test('behavior: smartBalance needs settlementToken and nativePrice', () => {
    expect(issuesOf(base)).toEqual(['settlementToken', 'nativePrice'])
    expect(issuesOf({ ...base, settlementToken })).toEqual(['nativePrice'])
    expect(issuesOf({ ...base, settlementToken, nativePrice })).toEqual([])
  })

  test.each(['0', '2500.5', '-1', ''])('error: the fixed price %j', (price) => {
    expect(issuesOf({ ...base, settlementToken, nativePrice: { kind: 'fixed', price } })).toEqual([
      'nativePrice.price',
    ])
  })
})
