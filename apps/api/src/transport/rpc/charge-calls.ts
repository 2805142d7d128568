import { LanyardError, type RateBucket } from '@lanyard/contracts'
import { callerOf } from '../../domain/accounts/callers/caller.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import { rpcMethods } from './rpc-methods.ts'

/**
 * Counts the calls of a body by their methods. Every request is first counted by its path, which shows only
 * one call.
 *
 * @throws RATE_LIMITED, before anything is done
 */
export async function chargeCalls(context: RequestContext, calls: readonly unknown[]): Promise<void> {
  const { env, rateLimits } = context.services
  if (env.RATE_LIMITS === 'off') return
  const charge = async (bucket: RateBucket, points: number) => {
    if (points === 0) return
    const { refused, reset } = await rateLimits.charge(callerOf(context), bucket, points)
    if (refused) throw new LanyardError('RATE_LIMITED', { details: { retryAfter: reset } })
  }
  const buckets = calls.map((call) => rpcMethods.get(Object(call).method)?.bucket)
  const countOf = (bucket: RateBucket) => buckets.filter((one) => one === bucket).length
  await charge('calls', calls.length - 1)
  await charge('reads', countOf('reads'))
  await charge('builds', countOf('builds'))
}
