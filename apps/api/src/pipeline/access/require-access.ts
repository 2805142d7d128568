import { type EndpointDeclaration, LanyardError } from '@lanyard/contracts'
import { requireUser } from '../../domain/accounts/callers/require-user.ts'
import type { RequestContext } from '../request-context.ts'
import { requireScope } from './require-scope.ts'

/**
 * Rejects a call that the endpoint's declaration does not allow to its caller, regardless of its input. Every
 * procedure begins with it, so it applies to both transports and to each call of a batch.
 *
 * @throws UNAUTHORIZED, FORBIDDEN
 */
export async function requireAccess(
  { access, scope }: Pick<EndpointDeclaration, 'access' | 'scope'>,
  context: RequestContext,
): Promise<void> {
  const { apiKey, services } = context
  if (apiKey === undefined && access.anonymous === 'needsKey' && (await services.apiKeys.needed())) {
    throw new LanyardError('UNAUTHORIZED')
  }
  if (access.anonymous !== 'allowed') requireScope(context, scope)
  const verdict = access[apiKey?.kind ?? 'publishable']
  if (verdict === 'needsToken') await requireUser(context)
}
