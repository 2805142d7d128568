import { once } from 'node:events'
import { setInterval } from 'node:timers'
import { LanyardError } from '@lanyard/contracts'
import type { Request, RequestHandler, Response } from 'express'
import { toMessage } from '../../domain/events/message.ts'
import type { EventStream } from '../../domain/events/streams/event-streams.ts'
import { currentRequest } from '../../http/http-request-context.ts'
import { readQuery } from '../../http/read-request.ts'
import { replyError } from '../../http/reply-error.ts'
import { toErrorAnswer } from '../../pipeline/errors/error-answer.ts'
import { openEventStream } from '../../pipeline/open-event-stream.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'

export const eventsPath = '/events'

/** Milliseconds between keep-alive comments: balancers close silent connections. */
const heartbeat = 15_000

/** `GET /events`: server-sent events of one account, or of all accounts for a server with a secret key. */
export const eventStreams: RequestHandler = async (request, response) => {
  const context = currentRequest()
  if (request.method !== 'GET') {
    response.setHeader('Allow', 'GET, OPTIONS')
    return replyError(response, new LanyardError('METHOD_NOT_ALLOWED'), context)
  }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const opened = await openEventStream(context, readInput(request), gone.signal)
  try {
    await send(response, opened)
  } catch (error) {
    // The client reconnects with its last id.
    if (error instanceof LanyardError && error.code === 'RATE_LIMITED')
      response.write(refusal(error, context))
    else if (!opened.signal.aborted) context.log.warn({ err: error }, 'an event stream failed')
  } finally {
    // A client that does not read loses its connection.
    if (response.writableNeedDrain) response.destroy()
    else response.end()
  }
}

/** The last event of a stream whose caller has used its allowance. An `EventSource` waits as long before it reconnects. */
function refusal(error: LanyardError, { requestId }: RequestContext): string {
  const { body } = toErrorAnswer(error, requestId)
  return `retry: ${1_000 * Number(error.details?.retryAfter)}\nevent: stream.ended\ndata: ${JSON.stringify(body)}\n\n`
}

/** @throws INVALID_INPUT */
function readInput({ url, headers }: Request): object {
  const { values, issues } = readQuery(url)
  if (issues.length > 0) throw new LanyardError('INVALID_INPUT', { issues })
  const lastEventId = headers['last-event-id'] ?? values.get('lastEventId')
  return { walletAddress: values.get('walletAddress'), lastEventId }
}

async function send(response: Response, { events, signal }: EventStream): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
  response.write('retry: 1000\n\n')
  const beating = setInterval(() => response.write(':\n\n'), heartbeat)
  try {
    for await (const event of events) {
      const { position, type } = event
      const isRoom = response.write(
        `id: ${position}\nevent: ${type}\ndata: ${JSON.stringify(toMessage(event))}\n\n`,
      )
      if (!isRoom) await once(response, 'drain', { signal })
    }
  } finally {
    clearInterval(beating)
  }
}
