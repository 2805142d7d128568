import { QueryCache, QueryClient } from '@tanstack/react-query'
import { readError } from './service-error.ts'

/** The session's query: other screens depend on it. */
export const sessionKey = ['session'] as const

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // A session that was revoked or has expired leads to the sign-in, whichever screen notices.
    onError: (error, query) => {
      if (query.queryKey[0] !== sessionKey[0] && readError(error).code === 'UNAUTHORIZED')
        void queryClient.invalidateQueries({ queryKey: sessionKey })
    },
  }),
  defaultOptions: {
    queries: { networkMode: 'always', staleTime: 2_000, retry: false },
    mutations: { networkMode: 'always' },
  },
})
