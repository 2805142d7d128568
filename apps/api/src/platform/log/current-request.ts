import { AsyncLocalStorage } from 'node:async_hooks'

/** What is known here of a request; transports add more, and ask for it by `currentRequest`. */
export interface CurrentRequest {
  readonly requestId: string
}

const requests = new AsyncLocalStorage<CurrentRequest>()

/** Runs what follows within a request, so that `currentRequest` answers it. */
export const runInRequest = (context: CurrentRequest, next: () => void): void => requests.run(context, next)

/** The request that is being answered, or nothing outside of requests. */
export const findRequest = (): CurrentRequest | undefined => requests.getStore()
