import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { answerStarting } from './early-answers.ts'

/** Milliseconds that a request waits for the service to start: as long as a start takes, and the patience of callers. */
const holdBound = 10_000

/**
 * What answers while the service starts: a request waits until it has, so that whoever calls during a restart sees a slow
 * answer and no failure. Who asks for its health hears at once that it is not ready yet.
 *
 * @param bound - milliseconds, after which the others are told to come back
 */
export function holdUntilReady(bound = holdBound): {
  readonly listener: RequestListener
  /** It has started: this answers what waits. */
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
      if (request.url?.split('?')[0] === '/health') answerStarting(response)
      else void hold(request, response)
    },
    release: ready.resolve,
  }
}
