import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { callService } from './actions/call-service.ts'
import { hasEnded, type Operation, readOperation } from './actions/read-operation.ts'
import { useLanyardContext } from './lanyard-context.ts'
import { type LanyardReactError, toReactError } from './react-error.ts'

/** Milliseconds between polls of a pending operation. */
const pollInterval = 1_000

/**
 * Milliseconds after which the service must know an operation whose signature was being sent when the page
 * closed.
 */
const arrivalTimeout = 60_000

/**
 * The status of an operation, polled every second until it has ended.
 *
 * @param userOpHash - undefined: no request is made
 */
export function useOperation(userOpHash: Hex | undefined): UseQueryResult<Operation, LanyardReactError> {
  const { service, client, operations, queryClient } = useLanyardContext()
  return useQuery<Operation, LanyardReactError>({
    queryKey: ['lanyard', service, 'operation', userOpHash],
    queryFn: async ({ signal }) => {
      if (userOpHash === undefined) throw new TypeError('There is no operation to ask for.')
      const own = operations.pending().find((pending) => pending.userOpHash === userOpHash)
      // Waits because the service has to receive the signature first.
      const age = own ? Date.now() - own.signedAt : pollInterval
      await delay(pollInterval - age, signal)
      try {
        const operation = await callService(readOperation(client, userOpHash, signal))
        if (!hasEnded(operation)) return operation
        if (own) operations.end(userOpHash)
        // Signed elsewhere, so PendingOperations does not track it.
        else void queryClient.invalidateQueries({ queryKey: ['lanyard', service, 'balance'] })
        return operation
      } catch (cause) {
        const error = toReactError(cause, service)
        // If the service still does not know the operation this long after it was signed, the signature never
        // arrived.
        if (error.code === 'UNKNOWN_OPERATION' && own && Date.now() - own.signedAt > arrivalTimeout)
          operations.end(userOpHash)
        throw error
      }
    },
    enabled: userOpHash !== undefined,
    networkMode: 'always',
    retry: false,
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : pollInterval),
  })
}

/** Resolves after a delay, or when the signal aborts. */
const delay = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (milliseconds <= 0) return resolve()
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
