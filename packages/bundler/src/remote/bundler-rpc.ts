import { LanyardError } from '@lanyard/contracts'
import { createRequestQueue, httpRpc, QueueFullError } from '@lanyard/networks'
import { BaseError, createClient, RpcRequestError } from 'viem'
import type { z } from 'zod'

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

/**
 * JSON-RPC over HTTP to a bundler. It does not retry: the caller that waits for the operation does.
 *
 * The returned function throws BundlerRpcError if the bundler responds with an error, BUNDLER_UNAVAILABLE if
 * there is no response in time, BUNDLER_FAILED if the response has another shape.
 *
 * @param timeout - of one request, in milliseconds, including its time in the queue.
 */
export function createBundlerRpc(url: string, timeout: number): BundlerRpc {
  const client = createClient({ transport: httpRpc(url, { timeout }) })
  const queue = createRequestQueue({ concurrency, capacity, timeout })
  const keys = keysIn(url)
  return async (method, params, answer) => {
    let answered: unknown
    try {
      // viem does not know this method for this client; `answer` checks the response.
      answered = await queue.run(() => client.request({ method, params } as never))
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
  const answered =
    error instanceof BaseError ? error.walk((inner) => inner instanceof RpcRequestError) : undefined
  if (answered instanceof RpcRequestError) {
    const { code, data } = answered
    const details = keys.reduce((text, key) => text.replaceAll(key, '[hidden]'), answered.details)
    return new BundlerRpcError({ code, data, details })
  }
  return new LanyardError('BUNDLER_UNAVAILABLE', {
    ...(error instanceof QueueFullError && { details: { retryAfter: 1 } }),
    cause: error,
  })
}
