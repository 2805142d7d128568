import type { EndpointResult, endpoints } from '@lanyard/contracts'
import { type Network, type Networks, readPriceFeed } from '@lanyard/networks'
import type { Logger } from 'pino'
import { type Address, formatUnits } from 'viem'
import { z } from 'zod'
import { boundedFetch } from '../../platform/bounded-fetch.ts'
import { createSharing } from '../../platform/shared-reads.ts'
import { withReadTimeout } from '../../platform/timeouts.ts'

type Price = EndpointResult<typeof endpoints.system.prices>['prices'][number]

/** Prices that wallets show. Nothing in the service reads them to decide about money. */
export interface Prices {
  /** Those that are usable now. It never rejects. */
  read(): Promise<readonly Price[]>
  /** Asks the source now for each currency, and says what is wrong with its answer. */
  check(network: Network): Promise<readonly PriceCheck[]>
}

interface PriceCheck {
  readonly symbol: string
  /** Undefined: the price is usable. */
  readonly problem: string | undefined
}

/** How long an answer of a source is shared, and a failure, milliseconds. */
const lifetime = 60_000

/** All currencies share one answer of an HTTP source, milliseconds. */
const answerLifetime = 10_000

/** Milliseconds that an HTTP source may take. */
const httpTimeout = 3_000

/** Seconds for which a price of an HTTP source counts. */
const httpMaximumAge = 3_600

/** Seconds by which a source's clock may be ahead. */
const clockMargin = 300

/** One price as its source gives it. */
interface Quote {
  readonly price: string
  /** Seconds since 1970. */
  readonly at: number
  /** Seconds. */
  readonly maximumAge: number
}

interface Asset {
  readonly network: Network
  readonly symbol: string
  readonly token: Address | null
}

/** The price of an asset now. It rejects with a sentence about what is wrong. */
type Source = (asset: Asset) => Promise<Quote>

interface Dependencies {
  readonly source: string | undefined
  readonly networks: Pick<Networks, 'list'>
  readonly now: () => Date
  readonly log: Pick<Logger, 'warn'>
}

export function createPrices({ source, networks, now, log }: Dependencies): Prices {
  if (source === undefined) return { read: async () => [], check: async () => [] }
  const kind = source === 'chainlink' ? 'chainlink' : 'http'
  const quoteOf = kind === 'chainlink' ? chainlinkSource(now) : httpSource(source, now)
  /** The last usable price of each asset, which outlives a failure of its source until it is too old. */
  const last = new Map<string, Quote>()
  const share = createSharing(lifetime, () => now().getTime()).share<void>()

  const isUsable = ({ price, at, maximumAge }: Quote) => {
    const age = now().getTime() / 1_000 - at
    return plausible.test(price) && /[1-9]/.test(price) && age <= maximumAge && age >= -clockMargin
  }

  const quote = async (asset: Asset): Promise<Price | undefined> => {
    const key = `${asset.network.chainId} ${asset.token ?? 'native'}`
    await share(key, async () => {
      try {
        const answer = await quoteOf(asset)
        if (!isUsable(answer)) throw new Error(`the price ${answer.price} is too old or implausible`)
        last.set(key, answer)
      } catch (error) {
        log.warn(
          { network: asset.network.chainId, symbol: asset.symbol, err: error },
          'A price cannot be read',
        )
      }
    })
    const known = last.get(key)
    if (!known || !isUsable(known)) return undefined
    return {
      network: asset.network.chainId,
      token: asset.token,
      currency: 'USD',
      price: known.price,
      at: new Date(known.at * 1_000).toISOString(),
      source: kind,
    }
  }

  return {
    async read() {
      const quotes = await Promise.all(networks.list().flatMap(assetsOf).filter(isPriced(kind)).map(quote))
      return quotes.filter((one) => one !== undefined)
    },
    check: (network) =>
      Promise.all(
        (kind === 'http' && !hasMoney(network) ? [] : assetsOf(network)).map(async (asset) => ({
          symbol: asset.symbol,
          problem: await quoteOf(asset).then(
            (answer) =>
              isUsable(answer)
                ? undefined
                : `${answer.price}, ${Math.round(now().getTime() / 1_000 - answer.at)} s old`,
            (error) => (error instanceof Error ? error.message : String(error)),
          ),
        })),
      ),
  }
}

/** At most twelve digits before the point: a coin that costs more is an error of its source. */
const plausible = /^\d{1,12}(\.\d{1,18})?$/

/**
 * A network whose entry names no feed for a currency has no price of it, and no warning each minute. An HTTP source
 * knows only symbols, and those of test money are the same as those of money.
 */
const isPriced =
  (kind: Price['source']) =>
  ({ network, symbol }: Asset): boolean =>
    kind === 'http' ? hasMoney(network) : Object.hasOwn(network.config.priceFeeds, symbol)

const hasMoney = ({ config }: Network): boolean => !config.local && !config.testnet

function assetsOf(network: Network): readonly Asset[] {
  const { nativeCurrency, settlementToken } = network.config
  return [
    { network, symbol: nativeCurrency.symbol, token: null },
    ...(settlementToken ? [{ network, symbol: settlementToken.symbol, token: settlementToken.address }] : []),
  ]
}

const chainlinkSource =
  (now: () => Date): Source =>
  async ({ network, symbol }) => {
    const { priceFeeds, name } = network.config
    const feed = Object.hasOwn(priceFeeds, symbol) ? priceFeeds[symbol] : undefined
    if (!feed) throw new Error(`priceFeeds of ${name} has no ${symbol}`)
    const { answer, decimals, updatedAt } = await withReadTimeout(
      network,
      network.call((client) =>
        readPriceFeed(client, feed, {
          what: `${name}: the price of ${symbol}`,
          now: () => now().getTime(),
        }),
      ),
    )
    // A feed has 8 decimals, rarely 18. What a wrong one has beyond them is no price.
    const [whole = '', fraction = ''] = formatUnits(answer, decimals).split('.')
    const shown = fraction.slice(0, 18)
    return { price: shown ? `${whole}.${shown}` : whole, at: updatedAt, maximumAge: feed.maximumAge }
  }

const httpAnswer = z.object({ currency: z.literal('USD'), prices: z.record(z.string(), z.unknown()) })
const httpPrice = z.object({ price: z.string().max(40), at: z.iso.datetime({ offset: true }) })

function httpSource(url: string, now: () => Date): Source {
  const share = createSharing(answerLifetime, () => now().getTime()).share<ReadonlyMap<string, unknown>>()
  return async ({ symbol }) => {
    const answer = await share('answer', async () => {
      const request = { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(httpTimeout) }
      const response = await boundedFetch(url, request)
      if (!response.ok) throw new Error(`the price source answers ${response.status}`)
      return new Map(Object.entries(httpAnswer.parse(await response.json()).prices))
    })
    const parsed = httpPrice.safeParse(answer.get(symbol))
    if (!parsed.success) throw new Error(`the price source has no price of ${symbol} as documented`)
    const { price, at } = parsed.data
    return { price, at: Date.parse(at) / 1_000, maximumAge: httpMaximumAge }
  }
}
