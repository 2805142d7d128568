/**
 * The publishable API key that the service wrote into this page (apps/api/src/transport/pages/wallet.ts).
 * Undefined if Vite serves the page.
 */
export const readPageKey = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="lanyard-key"]')?.content
