/**
 * The attacker, in a process of its own, so that the clients that are measured do not wait for its work. The
 * parent process sends {@link AttackerOrder}s; each one but a stop is answered when it ends.
 */
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { exchange } from '../programs/exchange.ts'
import { type HeldConnections, holdConnections } from './hold-connections.ts'

/** A request that the attacker repeats. `@count@` in its body becomes 8 hexadecimal digits, new each time. */
export interface HostileRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  /** With an Idempotency-Key of its own each time. */
  readonly keyed?: boolean
}

interface RequestOrder {
  readonly begin: readonly HostileRequest[]
  readonly urls: readonly string[]
  /** The addresses of its requests, in turn. */
  readonly addresses: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Requests that it keeps open at once. */
  readonly atOnce: number
}

export type AttackerOrder = RequestOrder | HeldConnections | 'stop'

/** How often each status was answered; 0 counts broken connections. */
export type AttackerReport = Readonly<Record<number, number>>

/** Milliseconds that one of them waits after a 429. It tries again long before `Retry-After` says so. */
const pauseWhenRejected = 250

let stop = new AbortController()
let sent = 0

process.on('message', (order: AttackerOrder) => {
  if (order === 'stop') return stop.abort()
  stop = new AbortController()
  const { signal } = stop
  const report: Record<number, number> = {}
  const count = (status: number) => {
    report[status] = (report[status] ?? 0) + 1
  }
  const attack = 'begin' in order ? sendRequests(order, count, signal) : holdConnections(order, count, signal)
  void attack.then(() => process.send?.(report))
})

async function sendRequests(
  { begin: requests, urls, addresses, headers, atOnce }: RequestOrder,
  count: (status: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const at = <T>(list: readonly T[], index: number) => list[index % list.length] as T // none is empty
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (!signal.aborted) {
        const number = sent++
        const { method, path, body, keyed } = at(requests, number)
        const { status } = await exchange(at(urls, number) + path, {
          ...{ agent, method },
          body: body?.replace('@count@', number.toString(16).padStart(8, '0')),
          headers: {
            ...headers,
            'x-forwarded-for': at(addresses, number),
            ...(keyed && { 'idempotency-key': `hostile-${process.pid}-${number}` }),
          },
        }).catch(() => ({ status: 0 }))
        count(status)
        if (status === 429 || status === 0) await delay(pauseWhenRejected)
      }
    }),
  )
  agent.destroy()
}
