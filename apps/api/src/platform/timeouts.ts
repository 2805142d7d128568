import { clearTimeout, setTimeout } from 'node:timers'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'

/**
 * A time limit is counted in this many parts. While the event loop is blocked, an answer that has arrived
 * cannot be read, and every timer is late. Of such a pause at most one part counts.
 */
const parts = 10

/** The promise's outcome; after this many milliseconds, a rejection, with `late` if it is given. */
export function withTimeout<T>(milliseconds: number, promise: Promise<T>, late?: LanyardError): Promise<T> {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<T>()
  let passed = 0
  const wait = () =>
    setTimeout(() => {
      passed++
      if (passed < parts) timer = wait()
      else reject(late ?? new LanyardError('INTERNAL', { message: `No answer within ${milliseconds} ms.` }))
    }, milliseconds / parts)
  let timer = wait()
  promise.then(resolve, reject).finally(() => clearTimeout(timer))
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
