import { connect, type Socket } from 'node:net'
import type { TcpFault, TcpTarget } from './tcp-fault.ts'

/** One connection through the proxy. */
export interface Link {
  /** The proxy's fault is another one now. */
  faultChanged(): void
  /** Ends both sides by RST. */
  reset(): void
}

/** What passes is held back while the proxy is a black hole, and goes on in order afterwards. */
export function openLink(client: Socket, target: TcpTarget, fault: () => TcpFault): Link {
  const upstream = connect({ ...target, allowHalfOpen: true })
  let answered = 0
  let waiting: (() => void)[] = []
  let forgotten = false
  let losesAnswer = false

  const reset = () => {
    waiting = []
    client.resetAndDestroy()
    // A unix socket knows no RST.
    if ('path' in target) upstream.destroy()
    else upstream.resetAndDestroy()
  }
  const meet = (now: TcpFault) => {
    forgotten ||= now.kind === 'black-hole' && now.forever === true
  }
  meet(fault())
  const isOpen = () => !forgotten && fault().kind !== 'black-hole'
  const held = () => new Promise<void>((resolve) => waiting.push(resolve))

  /** Passes one way on, chunk by chunk: backpressure, delays and holes come from not reading on. */
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

  /** Undefined: nothing of the answer passes any more. */
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
