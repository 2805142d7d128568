import { AsyncLocalStorage } from 'node:async_hooks'
import type { Meter } from '../load/meter.ts'

/** The data of a request that this layer knows; transports add more and read it with `currentRequest`. */
export interface CurrentRequest {
  readonly requestId: string
  /** Absent until the caller is known. */
  readonly meter?: Meter | undefined
}

const requests = new AsyncLocalStorage<CurrentRequest>()

/** Runs a function within a request, so that `currentRequest` returns it. */
export const runInRequest = (context: CurrentRequest, next: () => void): void => requests.run(context, next)

/** The current request; undefined outside requests. */
export const findRequest = (): CurrentRequest | undefined => requests.getStore()
