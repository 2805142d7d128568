import { setTimeout as delay } from 'node:timers/promises'
import { createTransport, ExecutionRevertedError, TransactionRejectedRpcError, type Transport } from 'viem'
import type { NetworkConfig } from './config.ts'
import type { Endpoint } from './endpoint.ts'
import { rejectionIn } from './provider-errors.ts'
import { hasReservedShare, RateLimitedError } from './request-queue.ts'
import { rejectsAllLogs } from './split-logs.ts'

/** Waits for a block that a node does not have yet, milliseconds. */
const waitsForBlock: readonly number[] = [250, 500, 1_000]

/** Requests that waited for the end of a rate limit are spread over this time, milliseconds. */
const spread = 1_000

/**
 * Combines a network's RPC endpoints into one transport: the first that answers is used, the others are
 * fallbacks. Transactions go to `senders`, if there are any. While all of them limit requests, a request waits as long as they say, if its time-out permits.
 */
export function chainTransport(
  endpoints: readonly Endpoint[],
  { rpcTimeout, rpcQueue }: Pick<NetworkConfig, 'rpcTimeout' | 'rpcQueue'>,
  senders: readonly Endpoint[] = [],
): Transport {
  let waiting = 0

  async function askEach(method: string, params: readonly unknown[]): Promise<unknown> {
    let failure: unknown
    // What an endpoint has shown counts for itself and its fallbacks, not for those that are preferred to it.
    let notBefore = 0
    for (const { request, freshest } of endpoints) {
      notBefore = Math.max(notBefore, freshest.known)
      try {
        return await request(method, params, notBefore)
      } catch (error) {
        // A rate limit of one endpoint explains more than an outage of the next, one that reads fewer blocks
        // still helps if the next reads none, and one that is behind catches up.
        const isLess =
          isBlockUnknown(failure) || (rejectsAllLogs(error) && rejectionIn(failure) !== undefined)
        if (!(failure instanceof RateLimitedError) && !isLess) failure = error
        if (isAnswer(error)) throw error
      }
    }
    throw failure
  }

  /** How long to wait before the endpoints are asked again, milliseconds; undefined: the error is final. */
  function pauseAfter(error: unknown, method: string, params: readonly unknown[], tries: number) {
    if (error instanceof RateLimitedError) {
      const soonest = Math.min(
        ...endpoints.map(({ limits }) => limits.rateLimited || Number.POSITIVE_INFINITY),
        error.wait,
      )
      // Signed operations go first.
      return soonest + (hasReservedShare() ? 0 : Math.random() * spread)
    }
    return isBlockUnknown(error) && !namesTag(method, params) ? waitsForBlock[tries] : undefined
  }

  const known = () => Math.max(...endpoints.map(({ freshest }) => freshest.known))

  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const began = performance.now()
    const until = began + rpcTimeout
    for (let tries = 0, corrected = false; ; tries++) {
      const demanded = known()
      try {
        const answer = await askEach(method, params)
        const wait = answer === null && method === 'eth_getBlockByHash' ? waitsForBlock[tries] : undefined
        if (wait === undefined) return answer
        // Somebody has seen this block: it is on its way to this node.
        await delay(wait)
      } catch (error) {
        const pause = pauseAfter(error, method, params, tries)
        if (pause === undefined && !corrected && isBlockUnknown(error)) {
          corrected = true
          for (const { freshest } of endpoints) freshest.correct(began)
          if (known() < demanded) continue
        }
        if (pause === undefined || performance.now() + pause > until || waiting >= rpcQueue) throw error
        waiting++
        await delay(pause)
        waiting--
      }
    }
  }

  return () =>
    createTransport({
      key: 'chain',
      name: 'The endpoints of a network',
      type: 'chain',
      retryCount: 0,
      // viem types requests by method; this transport passes them on unchanged.
      request: (({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
        method === 'eth_sendRawTransaction' && senders.length > 0
          ? sendToAll(senders, params)
          : ask(method, params)) as never,
    })
}

/**
 * Sends a transaction to all endpoints at once. One that takes it is enough: the same bytes are one transaction. If
 * none does, a refusal says more than a silence.
 */
async function sendToAll(senders: readonly Endpoint[], params: readonly unknown[]): Promise<unknown> {
  try {
    return await Promise.any(senders.map(({ request }) => request('eth_sendRawTransaction', params)))
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error
    throw error.errors.find(isAnswer) ?? error.errors[0]
  }
}

/** Another node would answer the same. */
const isAnswer = (error: unknown): boolean =>
  error instanceof TransactionRejectedRpcError ||
  (error instanceof Error && ExecutionRevertedError.nodeMessage.test(error.message))

const isBlockUnknown = (error: unknown): boolean => rejectionIn(error)?.meaning === 'block-unknown'

/** A block tag that a node does not know is not a matter of time. */
const namesTag = (method: string, [block]: readonly unknown[]): boolean =>
  method === 'eth_getBlockByNumber' && (block === 'finalized' || block === 'safe')
