import type { EventListenInput, EventMessage } from '@lanyard/contracts'
import { type TRPCSubscriptionProcedure, type TrackedEnvelope, tracked } from '@trpc/server'
import { toMessage } from '../domain/events/message.ts'
import type { EventStream } from '../domain/events/streams/event-streams.ts'
import { openEventStream } from '../pipeline/open-event-stream.ts'
import { procedure } from '../pipeline/trpc.ts'

const opened = procedure.use(async ({ ctx, getRawInput, signal, next }) => {
  // tRPC sets it for every subscription.
  const gone = signal ?? new AbortController().signal
  return next({ input: await openEventStream(ctx, await getRawInput(), gone) })
})

/**
 * The subscriptions of apps over tRPC. `events.listen` has the events of `GET /events`, for the same callers.
 */
export const subscriptions = {
  events: {
    listen: opened.subscription(({ input }) =>
      readAhead(toTracked(input as unknown as EventStream)),
    ) as unknown as TRPCSubscriptionProcedure<{
      meta: unknown
      input: EventListenInput
      output: AsyncIterable<{ id: string; data: EventMessage }>
    }>, // the previous step passes the stream as the input, which tRPC's types do not express
  },
}

/** A stream that ends as planned, such as after its longest duration. Its reader reconnects with its last id. */
export class StreamEnded extends Error {}

/**
 * tRPC asks for the next event before it has passed on the last one, and while a slow reader takes none, nobody waits for the
 * answer. An error meanwhile is no unhandled rejection, which would end the process: tRPC meets it when it goes on.
 */
export function readAhead<T>(events: AsyncGenerator<T>): AsyncIterable<T> {
  const next = () => {
    const event = events.next()
    event.catch(() => {})
    return event
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: () => events.return(undefined) }) }
}

async function* toTracked({ events, signal }: EventStream): AsyncGenerator<TrackedEnvelope<EventMessage>> {
  for await (const event of events) yield tracked(String(event.position), toMessage(event))
  // A generator that returns would end the subscription, so it throws instead.
  if (signal.aborted) throw new StreamEnded('The stream ended')
}
