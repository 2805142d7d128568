import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { answerStarting } from './early-answers.ts'
import { answerAlive, livenessPath, readinessPath } from './probes.ts'

/**
 * Milliseconds that a request waits for the service to start: long enough for a start, and short enough for
 * callers.
 */
const holdTimeout = 10_000

/**
 * The handler while the service starts: requests wait until it has started, so that a caller during a restart
 * sees a slow answer instead of a failure. Health checks are told immediately that it is not ready.
 *
 * @param bound - milliseconds, after which the other requests are told to try again later
 */
export function holdUntilReady(bound = holdTimeout): {
  readonly listener: RequestListener
  /** Called after the start: this listener answers the waiting requests. */
  release(listener: RequestListener): void
} {
  const ready = Promise.withResolvers<RequestListener>()
  const hold = async (request: IncomingMessage, response: ServerResponse) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const late = delay(bound, undefined, { signal: gone.signal }).catch(() => undefined)
    const listener = await Promise.race([ready.promise, late])
    if (listener) listener(request, response)
    else if (!gone.signal.aborted) answerStarting(response)
  }
  return {
    listener(request, response) {
      const [path] = request.url?.split('?') ?? []
      if (path === livenessPath) answerAlive(response)
      else if (path === '/health' || path === readinessPath) answerStarting(response)
      else void hold(request, response)
    },
    release: ready.resolve,
  }
}
