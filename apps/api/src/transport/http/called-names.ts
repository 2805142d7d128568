import { findEndpointAt } from '../../platform/endpoint-list.ts'
import { trpcPath } from '../trpc/trpc-path.ts'
import { maxBatchSize } from './limits.ts'

/** The names in `/trpc/a.b,c.d`, as tRPC takes them from the path. */
function trpcNames(path: string): readonly string[] {
  const last = path.slice(path.lastIndexOf('/') + 1)
  try {
    // One more than the maximum shows that a batch is too long; the rest is not read.
    return decodeURIComponent(last).split(',', maxBatchSize + 1)
  } catch {
    return [last] // tRPC rejects it
  }
}

/**
 * The procedures that a request calls, known from its path alone, whether they exist or not. Empty for a path
 * that belongs to no endpoint.
 */
export function calledNames(path: string): readonly string[] {
  if (path.startsWith(`${trpcPath}/`)) return trpcNames(path)
  const name = findEndpointAt(path)?.name
  return name === undefined ? [] : [name]
}
