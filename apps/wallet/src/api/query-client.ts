import { QueryClient } from '@tanstack/react-query'
import { isUnreachable, readServiceError } from '../errors/service-error.ts'

const worthRetrying = ['NETWORK_UNAVAILABLE', 'DATABASE_UNAVAILABLE']

/**
 * Nothing waits for a connection: what is asked for while offline fails at once, and is not done later by itself. Reads are repeated twice where waiting may help; an answer that says "no" is shown at
 * once.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5_000,
      retry: (failures, error) =>
        failures < 2 &&
        navigator.onLine &&
        (isUnreachable(error) || worthRetrying.includes(readServiceError(error)?.code ?? '')),
    },
    mutations: { networkMode: 'always' },
  },
})
