import { type RateBucket, rateBuckets } from '@lanyard/contracts'
import type { Calls } from '../../pipeline/rate-limits/rate-limits.ts'
import { findEndpoint } from '../../platform/endpoint-list.ts'
import { isRpcPath } from '../rpc/rpc-path.ts'
import { calledNames } from './called-names.ts'

/** The counters of the calls of a request, one for each call, known from its path alone. */
export function bucketsOf(path: string): readonly RateBucket[] {
  if (isRpcPath(path)) return ['builds'] // some methods simulate
  const names = calledNames(path)
  return names.length === 0 ? ['calls'] : names.map((name) => findEndpoint(name)?.bucket ?? 'calls')
}

/** The counts of a request, known from its path alone. */
export function callsOf(path: string): Calls {
  const called = calledNames(path).map((name) => findEndpoint(name)?.bucket ?? 'calls')
  const counts = Object.fromEntries(rateBuckets.map((bucket) => [bucket, 0])) as Record<RateBucket, number> // one for each bucket
  for (const bucket of called) counts[bucket]++
  return { ...counts, calls: called.length === 0 ? 1 : called.length - counts.health }
}
