import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import type { Network, Networks } from '@lanyard/networks'
import { withReadTimeout } from '../../../platform/timeouts/with-read-timeout.ts'

/** The answer of a network, or that it is down. */
export type NetworkAnswer<T> = T | { readonly network: number; readonly status: 'down' }

const downCodes: readonly ErrorCode[] = ['NETWORK_UNAVAILABLE', 'NETWORK_FAILED']

/**
 * Queries all networks in parallel. A network that does not answer is reported as down and does not delay the
 * others.
 */
export async function onEachNetwork<T>(
  networks: Networks,
  ask: (network: Network) => Promise<T>,
): Promise<NetworkAnswer<T>[]> {
  return Promise.all(
    networks.list().map(async (network) => {
      try {
        return await withReadTimeout(network, ask(network))
      } catch (error) {
        if (!(error instanceof LanyardError && downCodes.includes(error.code))) throw error
        return { network: network.chainId, status: 'down' as const }
      }
    }),
  )
}
