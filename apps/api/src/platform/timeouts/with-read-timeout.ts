import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { withTimeout } from './with-timeout.ts'

/** Milliseconds for reads that are only shown: one network that hangs must not delay the others for long. */
const readTimeout = 5_000

/**
 * A network's answer within a time limit: the smaller of this bound and the configured time-out of one
 * request. A sequence of requests could otherwise take longer, even if each of them is in time.
 *
 * @throws NETWORK_UNAVAILABLE when it takes longer, and what `answer` rejects with
 */
export function withReadTimeout<T>(network: Network, answer: Promise<T>): Promise<T> {
  const { name, rpcTimeout } = network.config
  const milliseconds = Math.min(readTimeout, rpcTimeout)
  const late = new LanyardError('NETWORK_UNAVAILABLE', {
    message: `${name} does not answer within ${milliseconds} ms. Nothing was lost; try again.`,
  })
  return withTimeout(milliseconds, answer, late)
}
