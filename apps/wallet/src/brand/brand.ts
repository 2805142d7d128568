import type { EndpointOutput, endpoints } from '@lanyard/contracts'

/** The name and look that the operator gave this wallet. */
type Brand = EndpointOutput<typeof endpoints.system.brand>

/** The parts of a brand that this page's scripts need. Its colours come as a style sheet. */
type PageBrand = Omit<Brand, 'colors'>

const ownBrand: PageBrand = {
  name: 'Lanyard',
  logo: null,
  links: {},
  tokens: null,
  features: { combinedBalance: true, sessionKeys: true, connectedApps: true, contractCalls: true },
  language: null,
}

/** The service writes a brand into the page (apps/api/src/transport/pages/wallet.ts), so nothing waits for it. */
function readBrand(): PageBrand {
  const content = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="lanyard-brand"]')?.content
  return content === undefined ? ownBrand : { ...ownBrand, ...JSON.parse(content) }
}

export const brand: PageBrand = readBrand()

/** The index of the given currency if the wallet shows it, otherwise that of the first one that it shows. */
export const shownAsset = (asset: number, currencies: readonly { readonly symbol: string }[]): number => {
  const request = currencies[asset]
  return request && isShown(request) ? asset : Math.max(0, currencies.findIndex(isShown))
}

/** Whether the wallet shows a currency. */
export const isShown = ({ symbol }: { readonly symbol: string }): boolean =>
  brand.tokens === null || brand.tokens.includes(symbol)
