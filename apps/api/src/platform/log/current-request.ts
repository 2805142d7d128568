import { AsyncLocalStorage } from 'node:async_hooks'
import type { RpcCaller } from '@lanyard/networks'
import type { Meter } from '../load/meter.ts'

/** The data of a request that this layer knows; transports add more and read it with `currentRequest`. */
interface CurrentRequest {
  readonly requestId: string
  /** Absent until the caller is known. */
  readonly meter?: Meter | undefined
}

const requests = new AsyncLocalStorage<CurrentRequest>()

/** Runs a function within a request, so that `currentRequest` returns it. */
export const runInRequest = (context: CurrentRequest, next: () => void): void => requests.run(context, next)

/** The current request; undefined outside requests. */
export const findRequest = (): CurrentRequest | undefined => requests.getStore()

/** The meter of the current request; undefined for background work. */
export const currentMeter = (): Meter | undefined => findRequest()?.meter

/** Without limits, all callers share a node as one. */
const anyCaller = { path: ['callers'], cost: 1 }

/** Who waits for a node: the current request; undefined for the service itself. */
export function currentRpcCaller(): RpcCaller | undefined {
  const request = findRequest()
  return request && { ...(request.meter?.nodeUser() ?? anyCaller), call: request }
}

/** Waits without being charged for what others do meanwhile. */
export async function whileIdle<T>(wait: () => Promise<T>): Promise<T> {
  const resume = currentMeter()?.pause()
  try {
    return await wait()
  } finally {
    resume?.()
  }
}
