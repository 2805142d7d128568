import type { AppRouter } from '@lanyard/client/trpc'
import { createTRPCClient, httpLink } from '@trpc/client'
import { readSession } from './stored-session.ts'

/** Time-out of a request in milliseconds. A signature that was sent is then tracked by its status. */
export const requestTimeout = 30_000

/** Identifies this page and the signed-in user. */
export const requestHeaders = () => {
  const session = readSession()
  const pageKey = readPageKey()
  return {
    ...(pageKey !== undefined && { 'x-api-key': pageKey }),
    ...(session && { authorization: `Bearer ${session.token}` }),
  }
}

/**
 * The publishable API key that the service wrote into this page (apps/api/src/transport/pages/wallet.ts).
 * Undefined if Vite serves the page.
 */
const readPageKey = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="lanyard-key"]')?.content

/** The type that the tRPC client passes. */
type FetchInit = Omit<RequestInit, 'signal'> & { readonly signal?: AbortSignal | null | undefined }

/**
 * `fetch` with a time-out for the whole exchange, including the body. A caller's own signal still cancels.
 *
 * @param milliseconds - time until it rejects with a `TimeoutError`
 */
export const fetchWithTimeout =
  (milliseconds: number) =>
  (input: RequestInfo | URL, { signal, ...init }: FetchInit = {}): Promise<Response> => {
    const timeout = AbortSignal.timeout(milliseconds)
    return fetch(input, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  }

/**
 * The service's tRPC client. Each call is its own request instead of part of a batch, since the slowest
 * network must not delay the rest of the screen. Every call accepts a `signal` that cancels it.
 */
export const trpc = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: '/trpc',
      fetch: fetchWithTimeout(requestTimeout),
      headers: requestHeaders,
    }),
  ],
})
