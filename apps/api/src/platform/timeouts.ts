import { LanyardError } from '@lanyard/contracts'
import { type Network, startTimeLimit } from '@lanyard/networks'

/** The promise's outcome; after this many milliseconds, a rejection, with `late` if it is given. */
export function withTimeout<T>(milliseconds: number, promise: Promise<T>, late?: LanyardError): Promise<T> {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<T>()
  const endLimit = startTimeLimit(milliseconds, () =>
    reject(late ?? new LanyardError('INTERNAL', { message: `No answer within ${milliseconds} ms.` })),
  )
  promise.then(resolve, reject).finally(endLimit)
  return outcome
}

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
