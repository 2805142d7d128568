import { setTimeout as delay } from 'node:timers/promises'
import { type Circuit, type CircuitChange, createCircuit } from './circuit.ts'
import type { NetworkConfig } from './config.ts'
import { httpRpc } from './http-rpc.ts'
import { createLearnedLimit } from './learned-limit.ts'
import { assertOverridden, toProviderError } from './provider-refusal.ts'
import { createRateLimitPause } from './rate-limit.ts'
import { createRequestQueue, type RequestQueue } from './request-queue.ts'
import { assertUsable } from './rpc-answers.ts'
import { isPassing, isTransportFailure, ProbeTimeoutError, WrongChainError } from './rpc-errors.ts'
import { createLogReader } from './split-logs.ts'

/** One RPC endpoint of a network. */
export interface Endpoint {
  /** @throws viem's errors, RateLimitedError, ProviderRefusal, CircuitOpenError, QueueFullError, QueueTimeoutError */
  request(method: string, params: readonly unknown[]): Promise<unknown>
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
}

/** How long a chain check stays valid, milliseconds. */
const chainBelieved = 5_000

/** Time-out of a probe, milliseconds. */
const probeBound = 2_000

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
  { now, circuitChanged, rateLimited }: EndpointOptions,
): Endpoint {
  const batch = createLearnedLimit(rpcBatch, now)
  const logRange = createLearnedLimit(rpcLogRange, now)
  const pause = createRateLimitPause(now, (milliseconds, details) =>
    rateLimited({ pause: milliseconds, details }),
  )
  const queue = createRequestQueue({ concurrency: rpcConcurrency, capacity: rpcQueue, timeout: rpcTimeout })
  const inner = httpRpc(url, { timeout: rpcTimeout, batch })({})
  let verifiedAt: number | undefined
  let verifying: Promise<void> | undefined

  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    // viem types requests by method; this code passes them on unchanged.
    const answer: unknown = await inner.request({ method, params } as never).catch((error: unknown) => {
      // Retry-After may be a date, which the provider's clock decides, not the injected one.
      throw toProviderError(error, { method, params, now: Date.now() })
    })
    assertUsable(method, params, answer)
    assertOverridden(method, params, answer)
    return answer
  }
  async function verify(): Promise<void> {
    verifiedAt = undefined
    const actual = Number(await ask('eth_chainId', []))
    if (actual !== chainId) throw new WrongChainError(chainId, actual)
    verifiedAt = now()
  }
  const isVerified = (at: number | undefined) => at !== undefined && now() >= at && now() < at + chainBelieved

  /** Sends both in one round trip. Without the chain check no response counts, not even an error. */
  async function askBelieved(method: string, params: readonly unknown[]): Promise<unknown> {
    if (isVerified(verifiedAt)) return ask(method, params)
    verifying ??= verify().finally(() => {
      verifying = undefined
    })
    const [verified, answer] = await Promise.allSettled([verifying, ask(method, params)])
    if (verified.status === 'rejected') throw verified.reason
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }

  async function askTwice(method: string, params: readonly unknown[]): Promise<unknown> {
    const began = performance.now()
    try {
      return await askBelieved(method, params)
    } catch (error) {
      if (!isPassing(error) || performance.now() - began > fastFailure) throw error
      await delay(secondTryAfter)
      return askBelieved(method, params)
    }
  }

  async function probe(): Promise<void> {
    const stop = new AbortController()
    const bound = Math.min(probeBound, rpcTimeout)
    const late = async () => {
      await delay(bound, undefined, { signal: stop.signal })
      throw new ProbeTimeoutError()
    }
    try {
      await Promise.race([verify(), late()])
    } finally {
      stop.abort()
    }
  }

  const circuit = createCircuit({ now, probe, isFailure: isTransportFailure, changed: circuitChanged })

  const send = (method: string, params: readonly unknown[]): Promise<unknown> =>
    pause.run(() => queue.run(() => circuit.run(() => askTwice(method, params))))
  const readLogs = createLogReader(logRange, (params) => send('eth_getLogs', params))

  return {
    request: (method, params) => (method === 'eth_getLogs' ? readLogs(params) : send(method, params)),
    circuit,
    queue,
    limits: {
      get batch() {
        return batch.current
      },
      get logRange() {
        return logRange.current
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
