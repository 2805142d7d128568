import { brand } from '@lanyard/ui'

/** The index of the given currency if the wallet shows it, otherwise that of the first one that it shows. */
export const shownAsset = (asset: number, currencies: readonly { readonly symbol: string }[]): number => {
  const request = currencies[asset]
  return request && isShown(request) ? asset : Math.max(0, currencies.findIndex(isShown))
}

/** Whether the wallet shows a currency. */
export const isShown = ({ symbol }: { readonly symbol: string }): boolean =>
  brand.tokens === null || brand.tokens.includes(symbol)
