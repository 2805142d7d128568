import { connect, type Socket } from 'node:net'
import type { TcpFault, TcpTarget } from './tcp-fault.ts'

/** One connection through the proxy. */
export interface Link {
  /** Called after the proxy's fault has changed. */
  faultChanged(): void
  /** Resets both sides (RST). */
  reset(): void
}

/** Data is held back while the proxy is a black hole, and then forwarded in order. */
export function openLink(client: Socket, target: TcpTarget, fault: () => TcpFault): Link {
  const upstream = connect({ ...target, allowHalfOpen: true })
  let answered = 0
  let waiting: (() => void)[] = []
  let forgotten = false
  let losesAnswer = false

  const reset = () => {
    waiting = []
    client.resetAndDestroy()
    // A unix socket has no RST.
    if ('path' in target) upstream.destroy()
    else upstream.resetAndDestroy()
  }
  const meet = (now: TcpFault) => {
    forgotten ||= now.kind === 'black-hole' && now.forever === true
  }
  meet(fault())
  const isOpen = () => !forgotten && fault().kind !== 'black-hole'
  const held = () => new Promise<void>((resolve) => waiting.push(resolve))

  /**
   * Forwards one direction chunk by chunk. It creates backpressure, delays and black holes by not reading
   * further.
   */
  async function pump(from: Socket, to: Socket, pass: (chunk: Buffer) => Buffer | undefined): Promise<void> {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      const now = fault()
      if (now.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, now.milliseconds))
      while (!isOpen()) await held()
      const rest = pass(chunk)
      if (rest === undefined) return
      if (rest.length > 0 && !to.write(rest)) await drained(to)
    }
    to.end()
  }

  const passRequest = (chunk: Buffer): Buffer => {
    const now = fault()
    losesAnswer ||= now.kind === 'lose-answer' && now.to(chunk.toString('latin1'))
    return chunk
  }

  /** Undefined: no more of the answer is forwarded. */
  const passAnswer = (chunk: Buffer): Buffer | undefined => {
    if (losesAnswer) {
      reset()
      return undefined
    }
    const now = fault()
    const limit = now.kind === 'cut' || now.kind === 'truncate' ? (now.bytes ?? 0) : Number.POSITIVE_INFINITY
    const rest = chunk.subarray(0, Math.max(0, limit - answered))
    answered += chunk.length
    if (answered < limit) return rest
    if (now.kind === 'cut') {
      client.write(rest, reset)
    } else {
      client.end(rest)
      upstream.destroy()
    }
    return undefined
  }

  for (const socket of [client, upstream]) socket.on('error', reset)
  pump(client, upstream, passRequest).catch(reset)
  pump(upstream, client, passAnswer).catch(reset)

  return {
    reset,
    faultChanged() {
      answered = 0
      meet(fault())
      if (!isOpen()) return
      const released = waiting
      waiting = []
      for (const go of released) go()
    },
  }
}

const drained = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once('drain', resolve)
    socket.once('close', resolve)
  })
