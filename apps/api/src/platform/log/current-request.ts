import { AsyncLocalStorage } from 'node:async_hooks'
import { LanyardError } from '@lanyard/contracts'
import type { BegunRequest } from '../../transport/http/begin-request.ts'

const requests = new AsyncLocalStorage<BegunRequest>()

/** Runs what follows within a request, so that `currentRequest` answers it. */
export const runInRequest = (context: BegunRequest, next: () => void): void => requests.run(context, next)

/** The request that is being answered, or nothing outside of requests. */
export const findRequest = (): BegunRequest | undefined => requests.getStore()

/**
 * The request that is being answered, as `beginRequest` made it. A store of its own rather than an argument, since
 * tRPC formats some errors before it asks for a context, and those need the request id too.
 *
 * @throws INTERNAL outside of requests
 */
export function currentRequest(): BegunRequest {
  const request = requests.getStore()
  if (request) return request
  throw new LanyardError('INTERNAL', { cause: 'no request is being answered here' })
}
