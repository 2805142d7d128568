import { setInterval } from 'node:timers'
import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import type { Response } from 'express'
import { createEventFeed } from '../domain/events/streams/event-feed.ts'
import type { Services } from '../pipeline/services.ts'

export const changesPath = '/changes'

/** Milliseconds between keep-alive comments: balancers close silent connections. */
const heartbeat = 15_000

/** Milliseconds after which a stream ends, so that it outlives a session by less than a minute. Its page connects again. */
const maxDuration = 45_000

/** Milliseconds that events are collected: a page reads what they concern at most that often. */
const pollInterval = 1_000

/** Streams of this process: one for each open page. */
const maxStreams = 200

/**
 * Tells open pages which kinds of events happened (`operation`, `order`, …), so that they read again what these concern. It
 * carries nothing else: what a role may see is decided where it is read.
 *
 * @returns streams for at most so many milliseconds
 */
export function createChangeStream(
  services: Services,
): (response: Response, duration: number) => Promise<void> {
  const feed = createEventFeed(services)
  let open = 0
  return async (response, duration) => {
    if (open >= maxStreams) throw new LanyardError('RATE_LIMITED')
    open++
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const signal = AbortSignal.any([
      gone.signal,
      services.closing,
      AbortSignal.timeout(Math.min(duration, maxDuration)),
    ])
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
    response.write('retry: 2000\n\n')
    const beating = setInterval(() => response.write(':\n\n'), heartbeat)
    try {
      for await (const events of feed.listen({ signal })) {
        const kinds = [...new Set(events.map(({ type }) => type.split('.')[0]))]
        response.write(`data: ${JSON.stringify(kinds)}\n\n`)
        await delay(pollInterval, undefined, { signal })
      }
    } catch (error) {
      if (!signal.aborted) services.log.warn({ err: error }, 'a stream of the console failed')
    } finally {
      open--
      clearInterval(beating)
      response.end()
    }
  }
}
