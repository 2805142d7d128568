import { QueryClient } from '@tanstack/react-query'
import { isUnreachable, readServiceError } from '../errors/service-error.ts'

const worthRetrying = ['NETWORK_UNAVAILABLE', 'DATABASE_UNAVAILABLE']

/** Reads are repeated twice where waiting may help; an answer that says "no" is shown at once. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) =>
        failures < 2 && (isUnreachable(error) || worthRetrying.includes(readServiceError(error)?.code ?? '')),
    },
  },
})
