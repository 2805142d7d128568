import { clearTimeout, setTimeout } from 'node:timers'
import { LanyardError } from '@lanyard/contracts'

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
