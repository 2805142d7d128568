import { type EndpointDeclaration, LanyardError } from '@lanyard/contracts'
import { requireUser } from '../../domain/accounts/callers/require-user.ts'
import type { RequestContext } from '../request-context.ts'

/**
 * Rejects a call that the endpoint's declaration does not allow to its caller, regardless of its input. Every
 * procedure begins with it, so it applies to both transports and to each call of a batch.
 *
 * @throws UNAUTHORIZED, FORBIDDEN
 */
export async function requireAccess(
  { access }: Pick<EndpointDeclaration, 'access'>,
  context: RequestContext,
): Promise<void> {
  const { apiKey, services } = context
  if (apiKey === undefined && access.anonymous === 'needsKey' && (await services.apiKeys.needed())) {
    throw new LanyardError('UNAUTHORIZED')
  }
  const verdict = access[apiKey?.kind ?? 'publishable']
  if (verdict === 'needsToken') await requireUser(context)
}
