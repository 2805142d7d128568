import type { EndpointOutput, endpoints } from '@lanyard/contracts'

/** The name and look that the operator gave this wallet. */
type Brand = EndpointOutput<typeof endpoints.system.brand>

/** The parts of a brand that this page's scripts need. Its colours come as a style sheet. */
type PageBrand = Omit<Brand, 'colors' | 'logins'>

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

/** An identity provider whose login names a user. */
export interface Login {
  readonly issuer: string
  readonly name: string
}

/** The logins that the service offers; it writes them into the page as it writes the brand. */
export const logins: readonly Login[] = JSON.parse(
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="lanyard-logins"]')?.content ?? '[]',
)
