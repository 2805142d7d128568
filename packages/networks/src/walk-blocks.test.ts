import { LanyardError } from '@lanyard/contracts'
import type { PublicClient } from 'viem'
import { expect, test } from 'vitest'
import { createNetworks, networkConfig } from './index.ts'
import { type BlockRange, type WalkOptions, walkBlocks, walkRecent } from './walk-blocks.ts'

// No request reaches it: the tests respond in the provider's place.
const config = { chainId: 1, name: 'Test', rpcUrls: ['http://127.0.0.1:9'] }
const network = createNetworks([networkConfig.parse(config)]).get(1)
const range: BlockRange = { fromBlock: 3n, toBlock: 5_002n }
const widthOf = ({ fromBlock, toBlock }: BlockRange) => Number(toBlock - fromBlock) + 1

/** Walks with a provider that rejects some ranges. */
async function walk(refuses: (range: BlockRange) => boolean, options?: WalkOptions) {
  const read = async (_: unknown, blocks: BlockRange) => {
    if (refuses(blocks)) throw new LanyardError('NETWORK_FAILED')
    return widthOf(blocks)
  }
  return Array.fromAsync(walkBlocks(network, range, read, options))
}

function expectWhole(ranges: readonly BlockRange[]): void {
  expect(ranges[0]?.fromBlock).toBe(range.fromBlock)
  expect(ranges.at(-1)?.toBlock).toBe(range.toBlock)
  ranges.slice(1).forEach(({ fromBlock }, index) => {
    expect(fromBlock).toBe((ranges[index]?.toBlock ?? 0n) + 1n)
  })
}

test('default: visits every block once, in ascending order', async () => {
  const ranges = await walk(() => false)
  expectWhole(ranges)
  expect(ranges.map(({ result }) => result)).toEqual([2000, 2000, 1000])
})

test('args: maxWidth', async () => {
  const ranges = await walk(() => false, { maxWidth: () => 4_000n })
  expect(ranges.map(({ result }) => result)).toEqual([4000, 1000])
})

test('args: newestFirst', async () => {
  const ranges = await walk(() => false, { newestFirst: true })
  expectWhole(ranges.toReversed())
  expect(ranges.map(({ result }) => result)).toEqual([2000, 2000, 1000])
})

test('behavior: also halves a rejected range when walking backwards', async () => {
  const ranges = await walk(({ toBlock, fromBlock }) => toBlock - fromBlock > 150n, { newestFirst: true })
  expectWhole(ranges.toReversed())
  expect(Math.max(...ranges.map(widthOf))).toBeLessThanOrEqual(151)
})

test('behavior: halves a rejected range, and lets ranges grow again', async () => {
  // A provider that limits results: only some blocks have many.
  const ranges = await walk(({ fromBlock, toBlock }) => fromBlock < 900n && toBlock - fromBlock > 150n)
  expectWhole(ranges)
  expect(Math.max(...ranges.filter(({ toBlock }) => toBlock < 900n).map(widthOf))).toBeLessThanOrEqual(151)
  expect(Math.max(...ranges.map(widthOf))).toBeGreaterThanOrEqual(1_000)
})

test("error: throws the provider's error if it also rejects short ranges", async () => {
  let request = 0
  const rejected = walk(() => {
    request++
    return true
  })
  await expect(rejected).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
  expect(request).toBeLessThan(10)
})

test('error: throws other errors immediately', async () => {
  const broken = walkBlocks(network, range, async () => {
    throw new TypeError('broken')
  })
  await expect(broken.next()).rejects.toThrow('broken')
})

/** Walks a chain of 20,000 blocks with one block each second. */
async function walkSeconds(options: Pick<Parameters<typeof walkRecent>[1], 'window' | 'atMost'>) {
  const getBlock = async ({ blockNumber = 20_000n } = {}) => ({ number: blockNumber, timestamp: blockNumber })
  const { config: settings } = network
  const chain: Parameters<typeof walkRecent>[0] = {
    config: settings,
    limits: network.limits,
    call: (use) => use({ getBlock } as unknown as PublicClient), // the only method that the walk itself uses
  }
  return Array.fromAsync(
    walkRecent(chain, { requests: 1_000, ...options }, async (_, blocks) => widthOf(blocks)),
  )
}

test('behavior: recent blocks are those of a time, however many they are', async () => {
  const pages = await walkSeconds({ window: 3_000_000, atMost: 600_000 })
  expect(pages.map(({ toBlock }) => toBlock)).toEqual([20_000n, 18_000n])
})

test('behavior: a search of recent blocks that takes too long ends with the page that it has', async () => {
  const pages = await walkSeconds({ window: 15_000_000, atMost: -1 })
  expect(pages.map(({ fromBlock, toBlock }) => [fromBlock, toBlock])).toEqual([[18_001n, 20_000n]])
})
