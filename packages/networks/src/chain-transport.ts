import { fallback, type Transport } from 'viem'
import type { Endpoint } from './endpoint.ts'

/**
 * Combines a network's RPC endpoints into one transport: the first that responds is used, the others are
 * fallbacks.
 */
export function chainTransport(endpoints: readonly Endpoint[]): Transport {
  const [only, ...others] = endpoints
  // The fallback transport recreates its transports for each request.
  if (only && others.length === 0) return only.transport
  return fallback(
    endpoints.map(({ transport }) => transport),
    { retryCount: 0 },
  )
}
