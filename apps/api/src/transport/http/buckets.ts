import { type RateBucket, rateBuckets } from '@lanyard/contracts'
import type { Calls } from '../../pipeline/rate-limits/rate-limits.ts'
import { findEndpoint } from '../../platform/endpoint-list.ts'
import { calledNames } from './called-names.ts'

/** The counts of a request, known from its path alone. */
export function callsOf(path: string): Calls {
  const called = calledNames(path).map((name) => findEndpoint(name)?.bucket ?? 'calls')
  const counts = Object.fromEntries(rateBuckets.map((bucket) => [bucket, 0])) as Record<RateBucket, number> // one for each bucket
  for (const bucket of called) counts[bucket]++
  return { ...counts, calls: called.length === 0 ? 1 : called.length - counts.health }
}
