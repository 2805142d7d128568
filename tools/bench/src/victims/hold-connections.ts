import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Connections that are kept open and say almost nothing. */
export interface HeldConnections {
  readonly url: string
  readonly count: number
  /** The addresses that they come from, in turn: loopback addresses of this machine. */
  readonly addresses: readonly string[]
  /** What each of them sends first. */
  readonly text: string
  /** What each of them sends every {@link drip} milliseconds. Absent: nothing. */
  readonly more?: string
}

/** Milliseconds between two pieces: sooner than any time-out of the proxy. */
const drip = 3_000

/** Milliseconds until a connection that was closed is opened again. */
const pauseWhenClosed = 250

/**
 * Holds the connections until the signal, and opens each one again that is closed.
 *
 * @param count - called for each connection that ends: with the status that it was answered, 0 without one
 */
export async function holdConnections(
  { url, count: connections, addresses, text, more }: HeldConnections,
  count: (status: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const { hostname: host, port } = new URL(url)

  async function hold(localAddress: string): Promise<void> {
    const socket = connect({ host, port: Number(port), localAddress })
    let status = 0
    socket.on('data', (chunk) => {
      status ||= Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1] ?? 0)
    })
    socket.on('error', () => {}) // it is closed then
    socket.write(text)
    const dripping = more === undefined ? undefined : setInterval(() => socket.write(more), drip)
    const destroy = () => socket.destroy()
    signal.addEventListener('abort', destroy)
    await once(socket, 'close')
    signal.removeEventListener('abort', destroy)
    clearInterval(dripping)
    count(status)
  }

  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      while (!signal.aborted) {
        await hold(addresses[index % addresses.length] ?? host)
        if (!signal.aborted) await delay(pauseWhenClosed)
      }
    }),
  )
}
