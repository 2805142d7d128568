import { type EndpointDeclaration, LanyardError, usualMaxBody } from '@lanyard/contracts'
import { findEndpoint, findEndpointAt } from '../platform/endpoint-list.ts'
import { trpcPath } from './trpc-path.ts'

/** Maximum size of a request's body, over all transports. An endpoint may accept less. */
export const maxBodyBytes = 256 * 1024

/** A body of more bytes than its endpoint accepts. */
export const tooLarge = (maxBody: number, cause?: unknown): LanyardError =>
  new LanyardError('PAYLOAD_TOO_LARGE', {
    message: `The body may have at most ${maxBody / 1024} KiB here.`,
    cause,
  })

/** Maximum number of tRPC calls in one request. */
export const maxBatchSize = 10

/**
 * Milliseconds. They limit how long a slow or silent client holds a connection open; answers may take as long
 * as they need.
 */
export interface ServerTimeouts {
  /** To receive all headers. */
  readonly headersTimeout: number
  /** To receive the whole request. */
  readonly requestTimeout: number
  /** Between two requests of one connection. */
  readonly keepAliveTimeout: number
  /** Between two checks for connections that have timed out. */
  readonly connectionsCheckingInterval: number
}

export const serverTimeouts: ServerTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Balancers keep a connection for 60 s. If the service closed it first, a request that is already being
  // sent would get a reset.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
}

/** The names in `/trpc/a.b,c.d`, as tRPC takes them from the path. */
function trpcNames(path: string): readonly string[] {
  const last = path.slice(path.lastIndexOf('/') + 1)
  try {
    // One more than the maximum shows that a batch is too long; the rest is not read.
    return decodeURIComponent(last).split(',', maxBatchSize + 1)
  } catch {
    return [last] // tRPC rejects it
  }
}

/**
 * The procedures that a request calls, known from its path alone, whether they exist or not. Empty for a path
 * that belongs to no endpoint.
 */
export function calledNames(path: string): readonly string[] {
  if (path.startsWith(`${trpcPath}/`)) return trpcNames(path)
  const name = findEndpointAt(path)?.name
  return name === undefined ? [] : [name]
}

/** Bytes of a body of this endpoint, at most. */
export const maxBodyOf = (declaration: EndpointDeclaration): number =>
  declaration.method === 'POST' ? (declaration.maxBody ?? usualMaxBody) * 1024 : 0

/** Bytes of a request's body, at most, known from its path alone: a batch may be as long as all its calls. */
export function maxBodyAt(path: string): number {
  const declared = calledNames(path).flatMap((name) => findEndpoint(name) ?? [])
  if (declared.length === 0) return maxBodyBytes
  return Math.min(
    maxBodyBytes,
    declared.reduce((sum, one) => sum + maxBodyOf(one), 0),
  )
}
