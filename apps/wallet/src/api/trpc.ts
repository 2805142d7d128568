import type { AppRouter } from '@lanyard/client/trpc'
import { createTRPCClient, httpLink } from '@trpc/client'
import { fetchWithTimeout } from './fetch-with-timeout.ts'
import { readPageKey } from './page-key.ts'
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
