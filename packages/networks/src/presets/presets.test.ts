import { readFileSync } from 'node:fs'
import { formatGwei } from 'viem'
import {
  arbitrum,
  arbitrumSepolia,
  avalanche,
  base,
  baseSepolia,
  bsc,
  gnosis,
  mainnet,
  optimism,
  optimismSepolia,
  polygon,
  polygonAmoy,
} from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { networkConfig, networksFile } from '../config.ts'
import { presetNames, presets } from './index.ts'

const rpcUrls = ['https://rpc.example/key']

/** viem's own definitions, an independent source: ids and explorers must agree. */
const chains = {
  ethereum: mainnet,
  base,
  optimism,
  arbitrum,
  polygon,
  gnosis,
  bnb: bsc,
  avalanche,
  'base-sepolia': baseSepolia,
  'optimism-sepolia': optimismSepolia,
  'arbitrum-sepolia': arbitrumSepolia,
  'polygon-amoy': polygonAmoy,
}

describe.each(presetNames)('%s', (name) => {
  const preset = presets[name]

  test('behavior: chain id, explorer and currency match viem', () => {
    const { id, blockExplorers, nativeCurrency } = chains[name]
    expect(preset).toMatchObject({
      chainId: id,
      explorerUrl: blockExplorers.default.url,
      nativeCurrency: { symbol: nativeCurrency.symbol, decimals: nativeCurrency.decimals },
    })
  })

  test('behavior: reads the L1 data fee if viem has a gas price oracle, and on Arbitrum', () => {
    const { contracts = {} } = chains[name]
    const kind =
      'gasPriceOracle' in contracts ? 'op-stack' : name.startsWith('arbitrum') ? 'arbitrum' : undefined
    expect(networkConfig.parse({ preset: name, rpcUrls }).l1Fee?.kind).toBe(kind)
  })

  test('behavior: a preset with an RPC URL is a complete network, checksums included', () => {
    const config = networkConfig.parse({ preset: name, rpcUrls })
    expect(config).toMatchObject({
      preset: name,
      rpcUrls,
      local: false,
      bundler: { kind: 'embedded' },
    })
    expect(config.settlementToken?.decimals ?? 6).toBe(6)
    expect(BigInt(config.minPriorityFeePerGas)).toBeLessThan(BigInt(config.maxFeePerGas))
    expect(config.settlementToken).toEqual(preset.settlementToken)
    expect(config.nativePrice).toEqual(preset.nativePrice)
  })

  test('behavior: shows the prices of its currencies, and a test network has none', () => {
    const { nativeCurrency, settlementToken, nativePrice, priceFeeds, testnet } = networkConfig.parse({
      preset: name,
      rpcUrls,
    })
    const isTest = chains[name].testnet === true
    expect(testnet).toBe(isTest)
    expect(Object.keys(priceFeeds)).toEqual(
      isTest ? [] : [nativeCurrency.symbol, ...(settlementToken ? [settlementToken.symbol] : [])],
    )
    if (!isTest) expect({ kind: 'chainlink', ...priceFeeds[nativeCurrency.symbol] }).toEqual(nativePrice)
    if (!isTest && settlementToken)
      expect(page).toContain(`| \`${name}\` | \`${priceFeeds[settlementToken.symbol]?.feed}\` |`)
  })
})

test('behavior: no two networks share an id, a token or a feed', () => {
  const all = presetNames.map((preset) => networkConfig.parse({ preset, rpcUrls }))
  const feeds = all.map(({ nativePrice }) => nativePrice?.kind === 'chainlink' && nativePrice.feed)
  const tokens = all.map(({ settlementToken }) => settlementToken?.address ?? 'none')
  const ids = all.map(({ chainId }) => chainId)
  expect([ids, tokens, feeds].map((values) => new Set<unknown>(values).size)).toEqual(
    Array(3).fill(presetNames.length),
  )
})

const page = readFileSync(new URL('../../../../docs/networks.md', import.meta.url), 'utf8')

/** The cells of the table of native coins, block times, least tips and finality. */
const rows = page.split('\n').flatMap((line) => {
  const [, names = '', coin, time = '', tip = '', , final = ''] = line.split('|').map((cell) => cell.trim())
  return / s$/.test(time) ? [{ names, coin, time, tip, final }] : []
})

test.each(presetNames.filter((name) => !/sepolia|amoy/.test(name)))(
  'behavior: coin, block time, least tip and finality of %s are as documented',
  (name) => {
    const config = networkConfig.parse({ preset: name, rpcUrls })
    const { nativeCurrency, blockTime, minPriorityFeePerGas, finality } = config
    const row = rows.find(({ names }) => names.includes(`\`${name}\``))
    expect(row).toMatchObject({ coin: nativeCurrency.symbol, time: `${blockTime / 1_000} s` })
    expect(row?.tip.split(' ')[0]).toBe(formatGwei(BigInt(minPriorityFeePerGas)))
    expect(row?.final).toContain('tag' in finality ? `\`${finality.tag}\`` : 'confirmations')
  },
)

describe('an entry with a preset', () => {
  const issuesOf = (entry: object) =>
    networkConfig.safeParse(entry).error?.issues.map(({ path, message }) => [path.join('.'), message])

  test("behavior: an entry's own members replace those of the preset as a whole", () => {
    const entry = {
      preset: 'base',
      rpcUrls,
      name: 'Base, ours',
      finality: { tag: 'safe' },
      nativePrice: { kind: 'fixed', price: '1' },
    }
    expect(networkConfig.parse(entry)).toMatchObject({ ...entry, chainId: 8453 })
  })

  test('error: an unknown preset lists the known ones', () => {
    expect(issuesOf({ preset: 'bass', rpcUrls })).toEqual([
      ['preset', expect.stringContaining('base, optimism, arbitrum, polygon, gnosis, bnb, avalanche')],
    ])
  })

  test('error: a chain id that differs from the preset', () => {
    expect(issuesOf({ preset: 'base', chainId: 8454, rpcUrls })).toEqual([
      ['chainId', expect.stringContaining('is chain 8453')],
    ])
  })

  test('error: without an RPC address', () => {
    expect(issuesOf({ preset: 'base' })).toEqual([['rpcUrls', expect.any(String)]])
  })

  test('error: the same network twice, by preset and manually', () => {
    const networks = [
      { preset: 'base', rpcUrls },
      { chainId: 8453, name: 'Base', rpcUrls },
    ]
    expect(networksFile.safeParse({ networks }).error?.issues).toMatchObject([
      { message: expect.stringContaining('only once') },
    ])
  })

  test.each([undefined, null, 1, 'base', []])('error: %j instead of an entry', (entry) => {
    expect(networkConfig.safeParse(entry).success).toBe(false)
  })
})
