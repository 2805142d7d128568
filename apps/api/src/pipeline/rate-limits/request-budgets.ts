import { LanyardError } from '@lanyard/contracts'
import { callerOf } from '../../domain/accounts/callers/caller.ts'
import type { SearchBudget } from '../../domain/operations/submit/find-signed-operation.ts'
import type { RequestContext } from '../request-context.ts'

/**
 * Charges a call for reads of the chain beyond those that its endpoint declares.
 *
 * @throws RATE_LIMITED
 */
export async function chargeReads(context: RequestContext, reads: number): Promise<void> {
  if (context.services.env.RATE_LIMITS === 'off') return
  const { refused, reset } = await context.project.limits.charge(callerOf(context), 'reads', reads)
  if (refused) throw new LanyardError('RATE_LIMITED', { details: { retryAfter: reset } })
}

/** The caller's search budget, taken from the rate limit of builds. */
export function searchBudgetOf(context: RequestContext): SearchBudget {
  if (context.services.env.RATE_LIMITS === 'off') return unlimited
  const { limits } = context.project
  const caller = callerOf(context)
  return {
    async charge(comparisons) {
      const { refused, reset } = await limits.charge(caller, 'builds', comparisons)
      if (!refused) return
      throw new LanyardError('RATE_LIMITED', { details: { retryAfter: reset } })
    },
    refund: (comparisons) => limits.refund(caller, 'builds', comparisons),
  }
}

const unlimited: SearchBudget = { charge: async () => {}, refund: async () => {} }
