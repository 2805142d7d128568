import { findPage } from './page.ts'

/** The wallet's metadata (EIP-6963). */
export interface ProviderInfo {
  readonly uuid: string
  readonly name: string
  /** A data URL. */
  readonly icon: string
  /** The wallet's host in reverse order, so that each installation has its own. */
  readonly rdns: string
}

/** The wallet's icon as a data URL. */
export const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#14211a"/><path d="M9 5c0 5.5 3 8.5 7 13 4-4.5 7-7.5 7-13" fill="none" stroke="#e8b44a" stroke-width="2.4"/><rect x="10" y="16.5" width="12" height="10.5" rx="2.6" fill="#f4f6f2"/></svg>',
)}`

export const rdnsOf = (walletOrigin: string): string =>
  new URL(walletOrigin).hostname.split('.').toReversed().join('.')

/** Announces the provider now, and to every library that requests it later (EIP-6963). */
export function announceProvider(provider: object, info: ProviderInfo): void {
  const page = findPage()
  if (!page) return
  const detail = Object.freeze({ info: Object.freeze({ ...info }), provider })
  const announce = () =>
    // a CustomEvent is an Event
    void page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }) as unknown as Event)
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
}
