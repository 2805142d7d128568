import type { AppRouter } from '@lanyard/client/trpc'
import type { EventMessage } from '@lanyard/contracts'
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import { EventSource } from 'eventsource'
import { requestHeaders } from '../api/trpc.ts'

// Headers, which a browser's own EventSource cannot send: a key in the address would be in logs.
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
  /** It is connected. */
  readonly onLive: () => void
  /** It is not, and tries again by itself. */
  readonly onAway: () => void
  readonly onEvent: (id: string, message: EventMessage) => void
  /** It was refused. */
  readonly onRefused: () => void
}

/**
 * Listens to what happens to an account. It connects again by itself where it was, also after the device has slept.
 *
 * @param lastEventId - of the last event that was had; undefined: begins with what happens next
 * @returns ends it
 */
export function listen(
  walletAddress: `0x${string}`,
  lastEventId: string | undefined,
  { onLive, onAway, onEvent, onRefused }: Listener,
): () => void {
  // Ending it is told as an end, too.
  let isEnded = false
  const unlessEnded =
    <Args extends unknown[]>(tell: (...args: Args) => void) =>
    (...args: Args) => {
      if (!isEnded) tell(...args)
    }
  const { unsubscribe } = client.events.listen.subscribe(
    { walletAddress, ...(lastEventId !== undefined && { lastEventId }) },
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
