import { findEndpointAt } from '../../platform/endpoint-list.ts'
import { trpcPath } from '../trpc/trpc-path.ts'
import { maxBatchSize } from './limits.ts'

/** The names in `/trpc/a.b,c.d`, as tRPC takes them from the path. */
function trpcNames(path: string): readonly string[] {
  const last = path.slice(path.lastIndexOf('/') + 1)
  try {
    // One more shows that a batch is too long; the rest is not read.
    return decodeURIComponent(last).split(',', maxBatchSize + 1)
  } catch {
    return [last] // which tRPC refuses
  }
}

/**
 * What a request calls, known from its path alone: the names of procedures, whether they exist or not. None for a path
 * that is no endpoint's.
 */
export function calledNames(path: string): readonly string[] {
  if (path.startsWith(`${trpcPath}/`)) return trpcNames(path)
  const name = findEndpointAt(path)?.name
  return name === undefined ? [] : [name]
}
