import { LanyardError } from '@lanyard/contracts'
import type { RequestContext } from '../request-context.ts'
import { callerOf } from './caller.ts'

/** What a caller may spend on comparing a signature with builds. */
export interface SearchBudget {
  /**
   * Takes as many builds of the rate limit as will be compared. Whoever has any left may go below zero once, so that an
   * owner finds the own build among any number of others.
   *
   * @throws RATE_LIMITED
   */
  charge(comparisons: number): Promise<void>
  /** Gives back what was charged for a signature that fits, or not compared. */
  refund(comparisons: number): Promise<void>
}

export function searchBudgetOf(context: RequestContext): SearchBudget {
  const { env, rateLimits } = context.services
  if (env.RATE_LIMITS === 'off') return unlimited
  const caller = callerOf(context)
  return {
    async charge(comparisons) {
      const { refused, reset } = await rateLimits.chargeBuilds(caller, comparisons)
      if (!refused) return
      throw new LanyardError('RATE_LIMITED', { details: { retryAfter: reset } })
    },
    refund: (comparisons) => rateLimits.refundBuilds(caller, comparisons),
  }
}

const unlimited: SearchBudget = { charge: async () => {}, refund: async () => {} }
