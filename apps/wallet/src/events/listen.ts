import type { AppRouter } from '@lanyard/client/trpc'
import type { EventMessage } from '@lanyard/contracts'
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import { EventSource } from 'eventsource'
import { requestHeaders } from '../api/trpc.ts'

// Sends the key in a header, which EventSource cannot do: a key in the URL would appear in logs.
const client = createTRPCClient<AppRouter>({
  links: [
    httpSubscriptionLink({
      url: '/trpc',
      EventSource,
      eventSourceOptions: {
        fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...requestHeaders() } }),
      },
    }),
  ],
})

interface Listener {
  /** Called when the stream is connected. */
  readonly onLive: () => void
  /** Called when the stream is disconnected. It reconnects automatically. */
  readonly onAway: () => void
  readonly onEvent: (id: string, message: EventMessage) => void
  /** Called when the service rejected the connection. */
  readonly onRefused: () => void
}

/**
 * Listens to an account's events. Reconnects automatically and resumes at the last event, even after the
 * device has slept.
 *
 * @param lastEventId - id of the last event received; undefined starts with the next event
 * @returns a function that ends the stream
 */
export function listen(
  walletAddress: `0x${string}`,
  lastEventId: string | undefined,
  { onLive, onAway, onEvent, onRefused }: Listener,
): () => void {
  // Unsubscribing also triggers the end callback.
  let isEnded = false
  const unlessEnded =
    <Args extends unknown[]>(tell: (...args: Args) => void) =>
    (...args: Args) => {
      if (!isEnded) tell(...args)
    }
  const { unsubscribe } = client.events.listen.subscribe(
    { walletAddress, lastEventId },
    {
      onConnectionStateChange: unlessEnded(({ state }) => (state === 'pending' ? onLive() : onAway())),
      onData: unlessEnded(({ id, data }) => onEvent(id, data)),
      onError: unlessEnded(onRefused),
      onComplete: unlessEnded(onRefused),
    },
  )
  return () => {
    isEnded = true
    unsubscribe()
  }
}
