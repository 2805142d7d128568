import { onlineManager, QueryClient } from '@tanstack/react-query'
import { isUnreachable, readServiceError } from '../errors/service-error.ts'

// It assumes a connection until it hears of one that is lost, so a page that opens offline would not hear that it is back.
if (navigator.onLine === false) onlineManager.setOnline(false)

const worthRetrying = ['NETWORK_UNAVAILABLE', 'DATABASE_UNAVAILABLE']

/**
 * Requests do not wait for a connection: while offline they fail immediately and are not repeated
 * automatically. Reads are retried twice if waiting may help; a rejection by the service is shown
 * immediately.
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
