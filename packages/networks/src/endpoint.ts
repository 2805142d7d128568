import { setTimeout as delay } from 'node:timers/promises'
import { BaseError, RpcRequestError, toHex } from 'viem'
import type { NetworkConfig } from './config.ts'
import { EndpointError } from './endpoint-error.ts'
import { type Circuit, type CircuitChange, createCircuit, createLearnedLimit } from './endpoint-state.ts'
import { httpRpc } from './http-rpc.ts'
import { assertOverridden, toProviderError } from './provider-errors.ts'
import {
  createRateLimitPause,
  createRequestQueue,
  kindOf,
  type RequestKind,
  type RequestQueue,
  type RpcCaller,
  sharedSerially,
} from './request-queue.ts'
import {
  assertUsable,
  blockShown,
  createFreshestBlock,
  type FreshestBlock,
  inChainOrder,
  positionOfNewest,
} from './rpc-answers.ts'
import { isTransient, isTransportFailure, wrongChain } from './rpc-errors.ts'
import { createLogReader } from './split-logs.ts'
import { createNameReader } from './split-names.ts'
import { startTimeLimit } from './time-limit.ts'

/** One RPC endpoint of a network. */
export interface Endpoint {
  /**
   * @param notBefore - a read of the newest state is refused as `block-unknown` by a node that does not have this block
   * @throws viem's errors, RateLimitedError, ProviderRefusal, EndpointError, QueueFullError, QueueTimeoutError
   */
  request(method: string, params: readonly unknown[], notBefore?: number): Promise<unknown>
  readonly freshest: FreshestBlock
  readonly circuit: Circuit
  readonly queue: Pick<RequestQueue, 'active' | 'waiting'>
  readonly limits: EndpointLimits
}

/** What the provider accepts, as configured or learned. */
export interface EndpointLimits {
  /** Requests in one batch. */
  readonly batch: number
  /** Blocks in one eth_getLogs. */
  readonly logRange: number
  /** Simulations for callers at once. */
  readonly simulations: RequestQueue['limits']
  /** The same, as far as they were accepted: the values above may be the next to be tried. */
  readonly accepted: { readonly batch: number; readonly logRange: number }
  /** Milliseconds until a rate limit of the provider is over; 0: none. */
  readonly rateLimited: number
}

/** A pause because of a provider's rate limit. */
export interface RateLimit {
  /** Milliseconds. */
  readonly pause: number
  /** The provider's words. */
  readonly details: string
}

interface EndpointOptions {
  readonly now: () => number
  readonly circuitChanged: (change: CircuitChange) => void
  readonly rateLimited: (limit: RateLimit) => void
  readonly callerOf: () => RpcCaller | undefined
  /** Called when a request has waited for others. */
  readonly waited: (kind: RequestKind, milliseconds: number) => void
}

/** Whether there is no JSON-RPC answer. A revert is one. */
const hasNoAnswer = (error: unknown) =>
  !(error instanceof BaseError && error.walk((inner) => inner instanceof RpcRequestError))

/** How long a chain check stays valid, milliseconds. */
const chainVerifiedFor = 5_000

/** Addresses or topics of one filter that are tried at first. geth takes 1,000. */
const maxLogNames = 1_000

/** Batches of fewer requests have no room for the head as well; requests are then sent after it. */
const roomForHead = 10

/** Time-out of a probe, milliseconds. */
const probeTimeout = 2_000

/** A request that failed within this time is retried once after the same delay, milliseconds. */
const fastFailure = 1_000
const secondTryAfter = 150

/**
 * Sends requests to one endpoint within the limits that its provider has. Together with other requests it
 * regularly checks that the endpoint still serves the configured chain.
 */
export function createEndpoint(
  url: string,
  { chainId, rpcTimeout, rpcConcurrency, rpcQueue, rpcBatch, rpcLogRange }: NetworkConfig,
  { now, circuitChanged, rateLimited, callerOf, waited }: EndpointOptions,
): Endpoint {
  const batch = createLearnedLimit(rpcBatch, now)
  const logRange = createLearnedLimit(rpcLogRange, now)
  const logNames = createLearnedLimit(maxLogNames, now)
  const pause = createRateLimitPause(now, (milliseconds, details) =>
    rateLimited({ pause: milliseconds, details }),
  )
  const queue = createRequestQueue({
    concurrency: rpcConcurrency,
    capacity: rpcQueue,
    timeout: rpcTimeout,
    isFailure: hasNoAnswer,
    waited,
  })
  const freshest = createFreshestBlock()
  const inner = httpRpc(url, {
    timeout: rpcTimeout,
    batch,
    callerOf: () => callerOf()?.call,
    headSeen: freshest.seen,
  })({})
  let verifiedAt: number | undefined
  let verifying: Promise<void> | undefined

  async function ask(method: string, params: readonly unknown[], notBefore?: number): Promise<unknown> {
    // viem types requests by method; this code passes them on unchanged.
    const answer: unknown = await inner
      .request({ method, params, notBefore } as never)
      .catch((error: unknown) => {
        // Retry-After may be a date, which the provider's clock decides, not the injected one.
        throw toProviderError(error, { method, params, now: Date.now() })
      })
    assertUsable(method, params, answer)
    assertOverridden(method, params, answer)
    const block = blockShown(method, params, answer)
    if (block !== undefined) freshest.seen(block)
    return method === 'eth_getLogs' ? inChainOrder(answer) : answer
  }
  const readHead = sharedSerially(() => ask('eth_blockNumber', []))

  /** A read of the newest state never goes back to an older block than `notBefore`. */
  async function askAt(method: string, params: readonly unknown[], notBefore?: number): Promise<unknown> {
    const position = notBefore === undefined ? undefined : positionOfNewest(method, params)
    if (position === undefined) return ask(method, params)
    if (batch.current >= roomForHead) return ask(method, params, notBefore)
    // The head and the read may come from two nodes: the read names its block.
    const head = Math.max(Number(await readHead()), notBefore ?? 0)
    return params[position] === 'pending'
      ? ask(method, params)
      : ask(method, [...params.slice(0, position), toHex(head), ...params.slice(position + 1)])
  }
  async function verify(): Promise<void> {
    verifiedAt = undefined
    // What a late answer says was true when it was asked for, not when it arrives.
    const began = now()
    const actual = Number(await ask('eth_chainId', []))
    if (actual !== chainId) throw wrongChain(chainId, actual)
    verifiedAt = began
  }
  const isVerified = (at: number | undefined) =>
    at !== undefined && now() >= at && now() < at + chainVerifiedFor

  /** Sends both in one round trip. Without the chain check no response counts, not even an error. */
  async function requestVerified(
    method: string,
    params: readonly unknown[],
    notBefore?: number,
  ): Promise<unknown> {
    if (isVerified(verifiedAt)) return askAt(method, params, notBefore)
    verifying ??= verify().finally(() => {
      verifying = undefined
    })
    const [verified, answer] = await Promise.allSettled([verifying, askAt(method, params, notBefore)])
    if (verified.status === 'rejected') throw verified.reason
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }

  async function requestWithRetry(
    method: string,
    params: readonly unknown[],
    notBefore?: number,
  ): Promise<unknown> {
    const began = performance.now()
    try {
      return await requestVerified(method, params, notBefore)
    } catch (error) {
      if (!isTransient(error) || performance.now() - began > fastFailure) throw error
      await delay(secondTryAfter)
      return requestVerified(method, params, notBefore)
    }
  }

  async function probe(): Promise<void> {
    const late = Promise.withResolvers<never>()
    const endLimit = startTimeLimit(Math.min(probeTimeout, rpcTimeout), () =>
      late.reject(new EndpointError('ProbeTimeoutError', 'The RPC does not answer yet')),
    )
    try {
      await Promise.race([verify(), late.promise])
    } finally {
      endLimit()
    }
  }

  const circuit = createCircuit({ now, probe, isFailure: isTransportFailure, changed: circuitChanged })

  function enqueue(ask: () => Promise<unknown>, method: string, params: readonly unknown[]) {
    const caller = callerOf()
    return queue.run(ask, { kind: kindOf(method, params, caller), caller })
  }
  const send = (method: string, params: readonly unknown[], notBefore?: number): Promise<unknown> =>
    pause.run(() =>
      enqueue(() => circuit.run(() => requestWithRetry(method, params, notBefore)), method, params),
    )
  const readLogs = createNameReader(
    logNames,
    createLogReader(logRange, (params) => send('eth_getLogs', params)),
  )

  return {
    request: (method, params, notBefore) =>
      method === 'eth_getLogs' ? readLogs(params) : send(method, params, notBefore),
    freshest,
    circuit,
    queue,
    limits: {
      get batch() {
        return batch.current
      },
      get logRange() {
        return logRange.current
      },
      get simulations() {
        return queue.limits
      },
      get accepted() {
        return { batch: batch.proven || batch.current, logRange: logRange.proven || logRange.current }
      },
      get rateLimited() {
        return pause.left
      },
    },
  }
}
