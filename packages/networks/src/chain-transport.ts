import { fallback, type Transport } from 'viem'
import type { Endpoint } from './endpoint.ts'

/** All RPC endpoints of a network as one transport: the first that answers, the others in reserve. */
export function chainTransport(endpoints: readonly Endpoint[]): Transport {
  const [only, ...others] = endpoints
  // The fallback creates its transports again for each request.
  if (only && others.length === 0) return only.transport
  return fallback(
    endpoints.map(({ transport }) => transport),
    { retryCount: 0 },
  )
}
