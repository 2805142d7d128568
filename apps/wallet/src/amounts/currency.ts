import { brand } from '@lanyard/ui'
import type { Address } from 'viem'

/** A currency of an amount. */
export interface Currency {
  readonly symbol: string
  readonly decimals: number
  /** Absent for the network's native currency. */
  readonly token?: Address
}

/**
 * The currency of a network that pays for gas: the one without a token. A network that the service no longer
 * lists has no name for it.
 */
export const nativeOf = (currencies: readonly Currency[]): Currency =>
  currencies.find(({ token }) => token === undefined) ?? { symbol: 'coins', decimals: 18 }

/** The index of the given currency if the wallet shows it, otherwise that of the first one that it shows. */
export const shownAsset = (asset: number, currencies: readonly { readonly symbol: string }[]): number => {
  const request = currencies[asset]
  return request && isShown(request) ? asset : Math.max(0, currencies.findIndex(isShown))
}

/** Whether the wallet shows a currency. */
export const isShown = ({ symbol }: { readonly symbol: string }): boolean =>
  brand.tokens === null || brand.tokens.includes(symbol)
