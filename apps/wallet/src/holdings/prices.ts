import type { Currency } from '@lanyard/calls'
import { locale } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { t } from '../i18n/t.ts'

/** Decimals of a price, and of what an amount is worth. */
const decimals = 18

/** What the service says that one whole coin or token costs, in dollars with 18 decimals. */
export type PriceOf = (chainId: number, currency: Currency) => bigint | undefined

const keyOf = (chainId: number, token: string | null | undefined) =>
  `${chainId} ${token?.toLowerCase() ?? 'native'}`

/** As the service promises them. Another text is no price. */
function parsePrice(text: string): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  return BigInt(whole + fraction.padEnd(decimals, '0')) || undefined
}

/** The prices to show. Without a source, a connection or an answer there are none, and nothing says so. */
export function usePrices(): {
  readonly priceOf: PriceOf
  readonly source: 'chainlink' | 'http' | undefined
} {
  const { data, isError } = useQuery({
    queryKey: ['prices'],
    queryFn: async ({ signal }) => (await trpc.system.prices.query({}, { signal })).prices,
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? false : 60_000),
    retry: false,
  })
  const prices = new Map(
    isError ? [] : data?.map(({ network, token, price }) => [keyOf(network, token), parsePrice(price)]),
  )
  return {
    priceOf: (chainId, { token }) => prices.get(keyOf(chainId, token)),
    source: isError ? undefined : data?.[0]?.source,
  }
}

/** What an amount is worth, in dollars with 18 decimals. */
export const worthOf = (amount: bigint, currency: Currency, price: bigint): bigint =>
  (amount * price) / 10n ** BigInt(currency.decimals)

const cent = 10n ** 16n

/** From here on, a figure is more likely an error than an amount of money. */
const tooMuch = 10n ** 30n

const dollars = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
})

/**
 * A worth in parts, rounded to cents: `$`, `1,234`, `.`, `56`. Undefined if it is nothing or less than a cent, or
 * implausibly much.
 */
export function dollarParts(worth: bigint, round: 'nearest' | 'up' = 'nearest') {
  if (worth < cent || worth >= tooMuch) return undefined
  const cents = (worth + (round === 'up' ? cent - 1n : cent / 2n)) / cent
  // A text of digits is formatted exactly, unlike a number.
  const text = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}` as `${number}`
  return dollars.formatToParts(text)
}

/** `≈ $1,234.56`. Undefined if there is nothing to show. */
export function formatWorth(worth: bigint, round?: 'nearest' | 'up'): string | undefined {
  if (worth > 0n && worth < cent) return t('less than {amount}', { amount: dollars.format(0.01) })
  const parts = dollarParts(worth, round)
  return parts && `≈\u00a0${parts.map(({ value }) => value).join('')}`
}
