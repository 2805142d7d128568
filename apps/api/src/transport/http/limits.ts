import { LanyardError } from '@lanyard/contracts'

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
