import { fallback, type Transport } from 'viem'
import type { Endpoint } from './endpoint.ts'

/** All RPC endpoints of a network as one transport: the first that answers, the others in reserve. */
export const chainTransport = (endpoints: readonly Endpoint[]): Transport =>
  fallback(
    endpoints.map(({ transport }) => transport),
    { retryCount: 0 },
  )
