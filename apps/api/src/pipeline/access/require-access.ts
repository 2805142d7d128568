import { LanyardError } from '@lanyard/contracts'
import { requireUser } from '../../domain/accounts/callers/require-user.ts'
import type { RequestContext } from '../request-context.ts'
import { accessOf } from './access-table.ts'

/**
 * Refuses a call that the table does not allow to its caller, whatever it names. Every procedure begins with it, so
 * it holds over both transports and for each call of a batch.
 *
 * @param name - `noun.verb`
 * @throws UNAUTHORIZED, FORBIDDEN
 */
export async function requireAccess(name: string, context: RequestContext): Promise<void> {
  const access = accessOf(name)
  // A procedure without a line does not compile; should one appear, nobody may call it.
  if (!access) throw new LanyardError('FORBIDDEN')
  const { apiKey, services } = context
  if (apiKey === undefined && access.anonymous === 'needsKey' && (await services.apiKeys.needed())) {
    throw new LanyardError('UNAUTHORIZED')
  }
  const verdict = access[apiKey?.kind ?? 'publishable']
  if (verdict === 'needsToken') await requireUser(context)
}
