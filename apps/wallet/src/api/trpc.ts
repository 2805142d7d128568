import type { AppRouter } from '@lanyard/client/trpc'
import { createTRPCClient, httpLink } from '@trpc/client'
import { readSession } from '../session/stored-session.ts'
import { fetchWithTimeout } from './fetch-with-timeout.ts'
import { readPageKey } from './page-key.ts'

/** Milliseconds that a request may take; one that was sent and has no answer by then is followed in another way. */
const requestBound = 30_000

/** Who asks: this page, and whoever is signed in. */
export const requestHeaders = () => {
  const session = readSession()
  const pageKey = readPageKey()
  return {
    ...(pageKey !== undefined && { 'x-api-key': pageKey }),
    ...(session && { authorization: `Bearer ${session.token}` }),
  }
}

/**
 * The service. One request for each call, not a batch: the slowest network must not hold back the rest of the
 * screen. Every call takes a `signal` that cancels it.
 */
export const trpc = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: '/trpc',
      fetch: fetchWithTimeout(requestBound),
      headers: requestHeaders,
    }),
  ],
})
