import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { callService } from './actions/call-service.ts'
import { endOperation } from './actions/end-operation.ts'
import { hasEnded, type Operation, readOperation } from './actions/read-operation.ts'
import { useLanyardContext } from './lanyard-context.ts'
import { type LanyardReactError, toReactError } from './react-error.ts'

/** Milliseconds between two looks at an operation that is under way. */
const pollInterval = 1_000

/** Milliseconds after which the service knows an operation whose signature was on its way when the page went. */
const arrivalBound = 60_000

/**
 * What became of an operation, looked at every second until it has ended.
 *
 * @param userOpHash - undefined: nothing is asked
 */
export function useOperation(userOpHash: Hex | undefined): UseQueryResult<Operation, LanyardReactError> {
  const context = useLanyardContext()
  const { service, client, operations } = context
  return useQuery<Operation, LanyardReactError>({
    queryKey: ['lanyard', service, 'operation', userOpHash],
    queryFn: async ({ signal }) => {
      if (userOpHash === undefined) throw new TypeError('There is no operation to ask for.')
      try {
        const operation = await callService(readOperation(client, userOpHash, signal))
        if (hasEnded(operation)) endOperation(context, userOpHash)
        return operation
      } catch (cause) {
        const error = toReactError(cause, service)
        const own = operations.pending().find((pending) => pending.userOpHash === userOpHash)
        // What the service does not know long after the signature was sent never arrived.
        if (error.code === 'UNKNOWN_OPERATION' && own && Date.now() - own.signedAt > arrivalBound)
          endOperation(context, userOpHash)
        throw error
      }
    },
    enabled: userOpHash !== undefined,
    networkMode: 'always',
    retry: false,
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : pollInterval),
  })
}
