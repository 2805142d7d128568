import { LanyardError } from '@lanyard/contracts'
import { findRequest } from '../../platform/log/current-request.ts'
import { type HttpRequestContext, isHttpRequestContext } from './http-request-context.ts'

/**
 * The request that is being answered, as `beginRequest` made it. A store of its own rather than an argument, since
 * tRPC formats some errors before it asks for a context, and those need the request id too.
 *
 * @throws INTERNAL outside of requests
 */
export function currentRequest(): HttpRequestContext {
  const request = findRequest()
  if (request && isHttpRequestContext(request)) return request
  throw new LanyardError('INTERNAL', { cause: 'no request is being answered here' })
}
