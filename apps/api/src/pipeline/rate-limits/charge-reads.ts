import { LanyardError } from '@lanyard/contracts'
import { callerOf } from '../../domain/accounts/callers/caller.ts'
import type { RequestContext } from '../request-context.ts'

/**
 * Charges a call for reads of the chain beyond those that its endpoint declares.
 *
 * @throws RATE_LIMITED
 */
export async function chargeReads(context: RequestContext, reads: number): Promise<void> {
  const { env, rateLimits } = context.services
  if (env.RATE_LIMITS === 'off') return
  const { refused, reset } = await rateLimits.charge(callerOf(context), 'reads', reads)
  if (refused) throw new LanyardError('RATE_LIMITED', { details: { retryAfter: reset } })
}
