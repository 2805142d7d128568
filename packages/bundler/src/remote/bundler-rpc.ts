import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import {
  createRateLimitPause,
  createRequestQueue,
  httpRpc,
  QueueFullError,
  RateLimitedError,
  toProviderError,
} from '@lanyard/networks'
import { BaseError, createClient, RpcRequestError } from 'viem'
import type { z } from 'zod'
import { findAaCode } from '../entry-point/handle-ops-failure.ts'

/** An error as the bundler returned it, without the keys in its address. Callers get a part of its text. */
export class BundlerRpcError extends Error {
  override readonly name = 'BundlerRpcError'
  readonly code: number
  readonly data: unknown

  constructor({ code, details, data }: Pick<RpcRequestError, 'code' | 'details' | 'data'>) {
    super(details)
    this.code = code
    this.data = data
  }
}

/** Calls a bundler's method and validates the response. */
export type BundlerRpc = <T>(method: string, params: readonly unknown[], answer: z.ZodType<T>) => Promise<T>

/** Maximum number of concurrent requests to a bundler, and of waiting ones. */
const concurrency = 100
const capacity = 1_000

/** Requests that waited for the end of a rate limit are spread over this time, milliseconds. */
const spread = 500

/**
 * JSON-RPC over HTTP to a bundler. It does not repeat requests: the caller that waits for the operation does.
 * Only one that the bundler did not look at, because it limits their number, is sent when the limit is over, if
 * the time-out permits.
 *
 * The returned function throws BundlerRpcError if the bundler responds with an error, BUNDLER_UNAVAILABLE if
 * there is no response in time (`details.reason` PROVIDER_LIMIT: it limits requests, for `details.retryAfter`
 * seconds), BUNDLER_FAILED if the response has another shape.
 *
 * @param timeout - of one request, in milliseconds, including its time in the queue.
 */
export function createBundlerRpc(url: string, timeout: number): BundlerRpc {
  const client = createClient({ transport: httpRpc(url, { timeout }) })
  const queue = createRequestQueue({ concurrency, capacity, timeout })
  const limit = createRateLimitPause(() => performance.now())
  const keys = keysIn(url)
  let waiting = 0

  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    // viem does not know this method for this client; `answer` checks the response.
    return client.request({ method, params } as never).catch((error: unknown) => {
      throw isAboutOperation(error) ? error : toProviderError(error, { method, params, now: Date.now() })
    })
  }

  async function send(method: string, params: readonly unknown[]): Promise<unknown> {
    const until = performance.now() + timeout
    for (;;) {
      try {
        return await limit.run(() => queue.run(() => ask(method, params)))
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error
        const pause = error.wait + Math.random() * spread
        if (performance.now() + pause > until || waiting >= capacity) throw error
        waiting++
        await delay(pause)
        waiting--
      }
    }
  }

  return async (method, params, answer) => {
    let answered: unknown
    try {
      answered = await send(method, params)
    } catch (error) {
      throw toBundlerError(error, keys)
    }
    const parsed = answer.safeParse(answered)
    if (parsed.success) return parsed.data
    throw new LanyardError('BUNDLER_FAILED', {
      message: `The bundler gave an answer to ${method} that cannot be used.`,
      cause: parsed.error,
    })
  }
}

/** Codes of ERC-7769 and AA codes are answers about the operation, whatever words a paymaster has put into them. */
function isAboutOperation(error: unknown): boolean {
  const answered = rpcErrorIn(error)
  if (!answered) return false
  const { code, details } = answered
  return (code <= -32500 && code >= -32599) || findAaCode(details) !== undefined
}

function rpcErrorIn(error: unknown): RpcRequestError | undefined {
  const found = error instanceof BaseError ? error.walk((inner) => inner instanceof RpcRequestError) : null
  return found instanceof RpcRequestError ? found : undefined
}

/** Minimum length of a part of an address that may be a key, in characters. */
const minKeyLength = 16

/** The parts of a bundler's address that may be keys, the longest first. */
function keysIn(url: string): readonly string[] {
  const { href, pathname, search, searchParams, username, password } = new URL(url)
  return [url, href, pathname + search, ...pathname.split('/'), ...searchParams.values(), username, password]
    .filter(({ length }) => length >= minKeyLength)
    .sort((a, b) => b.length - a.length)
}

function toBundlerError(error: unknown, keys: readonly string[]): unknown {
  const answered = rpcErrorIn(error)
  if (answered) {
    const { code, data } = answered
    const details = keys.reduce((text, key) => text.replaceAll(key, '[hidden]'), answered.details)
    return new BundlerRpcError({ code, data, details })
  }
  if (error instanceof RateLimitedError) {
    const retryAfter = Math.max(1, Math.ceil(error.wait / 1_000))
    return new LanyardError('BUNDLER_UNAVAILABLE', {
      message: `The bundler limits the number of requests. A signed operation is kept and will be sent; other requests: try again in ${retryAfter} s.`,
      details: { reason: 'PROVIDER_LIMIT', retryAfter },
    })
  }
  return new LanyardError('BUNDLER_UNAVAILABLE', {
    ...(error instanceof QueueFullError && { details: { retryAfter: 1 } }),
    cause: error,
  })
}
