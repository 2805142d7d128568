import type { IncomingMessage } from 'node:http'
import { LanyardError } from '@lanyard/contracts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import { isOfOrigin } from './is-of-origin.ts'

/**
 * Rejects every request without a valid API key, and requests with a publishable key from a page that may not
 * use it. If no keys are required, none is needed.
 *
 * @throws UNAUTHORIZED, FORBIDDEN
 */
export async function requireApiKey(
  request: IncomingMessage,
  { apiKey, services: { apiKeys, env } }: RequestContext,
): Promise<void> {
  if (apiKey === undefined && (await apiKeys.needed())) throw new LanyardError('UNAUTHORIZED')
  if (apiKey?.kind === 'publishable' && !isOfOrigin(request, apiKey, env.TRUST_PROXY)) {
    throw new LanyardError('FORBIDDEN', {
      message: 'This publishable key is for pages of other origins.',
    })
  }
}
