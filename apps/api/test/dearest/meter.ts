import { once } from 'node:events'
import process from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { WireRequest } from '../fuzz/send.ts'
import type { Received, Sent } from './client-thread.ts'

export interface Measured {
  /** Milliseconds of the service's thread. */
  readonly processor: number
  /** Milliseconds that the service charged; 0 for a request that was rejected before. */
  readonly charged: number
  readonly status: number
  /** The code of an error; `OK` for a success. */
  readonly code: string
}

/** Where a service says what it charged: the sum of `lanyard_call_cost_seconds_total`. */
type ReadCharged = () => Promise<number>

/** Measures single requests to a service that runs in this thread. */
export function createMeter(
  url: string,
  readCharged: ReadCharged,
): AsyncDisposable & {
  measure(wire: WireRequest): Promise<Measured>
} {
  const client = new Worker(new URL('./client-thread.ts', import.meta.url), { workerData: { url } })
  const send = async (sent: Sent): Promise<Received> => {
    client.postMessage(sent)
    const [received] = (await once(client, 'message')) as [Received] // the thread sends nothing else
    return received
  }
  return {
    async measure({ method, path, headers, body }) {
      const before = await readCharged()
      const used = process.threadCpuUsage()
      const { status, text } = await send({ method, path, headers, body })
      await nextTurn() // what follows the answer in the same turn belongs to the request
      const { user, system } = process.threadCpuUsage(used)
      const charged = Math.max(0, (await readCharged()) - before) * 1_000
      return { processor: (user + system) / 1_000, charged, status, code: codeOf(status, text) }
    },
    async [Symbol.asyncDispose]() {
      await client.terminate()
    },
  }
}

function codeOf(status: number, text: string): string {
  if (status === 200) return 'OK'
  return /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? String(status)
}
