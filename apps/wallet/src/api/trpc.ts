import type { AppRouter } from '@lanyard/client/trpc'
import { createTRPCClient, httpLink } from '@trpc/client'
import { readSession } from '../session/stored-session.ts'
import { readPageKey } from './page-key.ts'

/**
 * The service. One request for each call, not a batch: the slowest network must not hold back the rest of the
 * screen.
 */
export const trpc = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: '/trpc',
      headers: () => {
        const session = readSession()
        const pageKey = readPageKey()
        return {
          ...(pageKey !== undefined && { 'x-api-key': pageKey }),
          ...(session && { authorization: `Bearer ${session.token}` }),
        }
      },
    }),
  ],
})
