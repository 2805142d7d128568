import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { withTimeout } from './with-timeout.ts'

/** Milliseconds for answers that only show something: one network that hangs must not hold up the others for long. */
const readingBound = 5_000

/**
 * What a network answers within a bound, though never longer than the configuration grants one request of it. Many
 * requests one after the other, each in its time, may take longer.
 *
 * @throws NETWORK_UNAVAILABLE when it takes longer, and what `answer` rejects with
 */
export function withReadTimeout<T>(network: Network, answer: Promise<T>): Promise<T> {
  const { name, rpcTimeout } = network.config
  const milliseconds = Math.min(readingBound, rpcTimeout)
  const late = new LanyardError('NETWORK_UNAVAILABLE', {
    message: `${name} does not answer within ${milliseconds} ms. Nothing was lost; try again.`,
  })
  return withTimeout(milliseconds, answer, late)
}
