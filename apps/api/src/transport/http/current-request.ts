import { LanyardError } from '@lanyard/contracts'
import { findRequest } from '../../platform/log/current-request.ts'
import { type HttpRequestContext, isHttpRequestContext } from './http-request-context.ts'

/**
 * The current request, as `beginRequest` created it. It is kept in its own store instead of an argument,
 * since tRPC formats some errors before it creates a context, and those need the request id too.
 *
 * @throws INTERNAL outside requests
 */
export function currentRequest(): HttpRequestContext {
  const request = findRequest()
  if (request && isHttpRequestContext(request)) return request
  throw new LanyardError('INTERNAL', { cause: 'no request is being answered here' })
}
