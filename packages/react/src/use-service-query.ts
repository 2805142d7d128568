import type { LanyardClient } from '@lanyard/client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { callService } from './actions/call-service.ts'
import { useLanyardContext } from './lanyard-context.ts'
import { type LanyardReactError, toReactError } from './react-error.ts'

interface ServiceQuery<Data> {
  /** What the answer depends on, besides the service. */
  readonly key: readonly unknown[]
  readonly read: (client: LanyardClient, options: { readonly signal: AbortSignal }) => Promise<Data>
  readonly enabled?: boolean
  /** Milliseconds between polls. Absent: it is read once and kept. */
  readonly pollInterval?: number
}

/** An answer of the service as a query. It rejects only with LanyardReactError. */
export function useServiceQuery<Data>({
  key,
  read,
  enabled = true,
  pollInterval,
}: ServiceQuery<Data>): UseQueryResult<Data, LanyardReactError> {
  const { service, client } = useLanyardContext()
  return useQuery<Data, LanyardReactError>({
    queryKey: ['lanyard', service, ...key],
    queryFn: ({ signal }) =>
      callService(read(client, { signal })).catch((error: unknown) => {
        throw toReactError(error, service)
      }),
    enabled,
    networkMode: 'always',
    // The next poll comes soon enough.
    retry: false,
    ...(pollInterval === undefined
      ? { staleTime: Number.POSITIVE_INFINITY }
      : { refetchInterval: pollInterval }),
  })
}
