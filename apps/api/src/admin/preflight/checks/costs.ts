import { gasPriceOracle } from '@lanyard/networks'
import { type Address, parseAbi } from 'viem'
import { createPrices } from '../../../domain/prices/prices.ts'
import { type Findings, finding } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'

/** As much call data as an ordinary operation has; the check only needs an answer. */
const someData = `0x${'5a'.repeat(1024)}` as const

/** The price sources of the service: for L1 data, for the native coin, and for what is only shown. */
export const checkCosts: Check = async (subject) =>
  (await Promise.all([checkL1Fee(subject), checkPrice(subject), checkShownPrices(subject)])).flat()

async function checkL1Fee({ network }: Subject): Promise<Findings> {
  const { l1Fee, entryPoint, bundler, chainId } = network.config
  // A remote bundler quotes the fees that it requires.
  if (bundler.kind === 'remote') return []
  if (l1Fee) {
    const seen = await network.l1Fee({ to: entryPoint, data: someData }).then(
      () => undefined,
      (error) => messageOf(error),
    )
    if (seen === undefined) return []
    return finding('L1_FEE_UNREADABLE', {
      message: 'The cost of L1 data cannot be read: no operation can be built.',
      expected: `an answer of ${l1Fee.kind}'s own contract`,
      seen,
      fix: `Correct l1Fee of network ${chainId} in NETWORKS_FILE, or leave it out if the network charges nothing for L1 data.`,
    })
  }
  const code = await network.call((client) => client.getCode({ address: gasPriceOracle }))
  if (code === undefined) return []
  return finding('L1_FEE_IGNORED', {
    message:
      'The network charges for L1 data, but the configuration does not say so: the relayer would pay it.',
    expected: '"l1Fee": { "kind": "op-stack" }',
    seen: `a GasPriceOracle at ${gasPriceOracle}, and no l1Fee`,
    fix: `Add "l1Fee": { "kind": "op-stack" } to network ${chainId} in NETWORKS_FILE, or use its preset.`,
  })
}

async function checkPrice({ network }: Subject): Promise<Findings> {
  const { nativePrice, smartBalance, nativeCurrency, local, chainId } = network.config
  if (!nativePrice || smartBalance === undefined) return []
  if (nativePrice.kind === 'fixed') {
    if (local) return []
    return finding('PRICE_FIXED', {
      message: `The price of ${nativeCurrency.symbol} is fixed: fees are wrong as soon as it moves.`,
      seen: `${nativePrice.price} units for 1 ${nativeCurrency.symbol}`,
      fix: `Give network ${chainId} a feed: "nativePrice": { "kind": "chainlink", … }, or its preset's.`,
    })
  }
  try {
    await network.nativePrice()
  } catch (error) {
    return finding('PRICE_UNUSABLE', {
      message: 'The price feed cannot be used: every quote on this network is refused.',
      expected: `an answer of ${nativePrice.feed} of the last ${nativePrice.maximumAge} s`,
      seen: messageOf(error),
      fix: `Correct nativePrice of network ${chainId} in NETWORKS_FILE. Chainlink lists the feeds.`,
    })
  }
  return checkFeedsCoin(network, nativePrice.feed)
}

/** Prices that wallets show: without them, or with wrong ones, everything else works. */
async function checkShownPrices({ network, priceSource, now }: Subject): Promise<Findings> {
  const log = { warn() {} }
  const prices = createPrices({ source: priceSource, networks: { list: () => [network] }, now, log })
  const findings = (await prices.check(network)).map(async ({ symbol, problem }) => {
    const feed = priceSource === 'chainlink' ? network.config.priceFeeds[symbol]?.feed : undefined
    const other = !problem && feed && (await otherCoinOf(network, feed, symbol))
    if (!problem && !other) return []
    return finding('SHOWN_PRICE_UNUSABLE', {
      message: `The wallet shows no price of ${symbol}, or that of something else.`,
      expected: `a price of ${symbol} in USD from PRICE_SOURCE`,
      seen: problem ?? `a feed of ${other}`,
      fix: feed
        ? `Correct priceFeeds of network ${network.chainId} in NETWORKS_FILE, or use its preset's.`
        : 'Correct PRICE_SOURCE, or what answers there.',
    })
  })
  return (await Promise.all(findings)).flat()
}

const feedAbi = parseAbi(['function description() view returns (string)'])

/** Coins whose feeds have another name: an old one, or that of the asset behind it. */
const namesOfCoins: Readonly<Record<string, readonly string[]>> = {
  POL: ['POL', 'MATIC'],
  XDAI: ['XDAI', 'DAI'],
  'USDC.e': ['USDC'],
}

/** A feed for another coin would misprice gas a thousandfold. */
async function checkFeedsCoin(network: Subject['network'], feed: Address): Promise<Findings> {
  const { config } = network
  const { symbol } = config.nativeCurrency
  const description = await otherCoinOf(network, feed, symbol)
  if (description === undefined) return []
  return finding('PRICE_OF_OTHER_COIN', {
    message: 'The price feed is for another coin.',
    expected: `${symbol} / USD`,
    seen: description,
    fix: `Correct nativePrice.feed of network ${config.chainId} in NETWORKS_FILE, or use its preset's.`,
  })
}

/** The description of a feed that is not for this coin. */
async function otherCoinOf({ call }: Subject['network'], feed: Address, symbol: string) {
  const description = await call((client) =>
    client.readContract({ address: feed, abi: feedAbi, functionName: 'description' }),
  )
  const coins = namesOfCoins[symbol] ?? [symbol]
  return coins.some((coin) => description === `${coin} / USD`) ? undefined : description
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
