/** Of a request's body, over both transports. */
export const maxBodyBytes = 256 * 1024

/** tRPC calls in one request. */
export const maxBatchSize = 10

/** Milliseconds. What a slow or silent client may hold open; answers take as long as they need. */
export interface ServerTimeouts {
  /** For all headers. */
  readonly headersTimeout: number
  /** For the whole request. */
  readonly requestTimeout: number
  /** Between two requests of one connection. */
  readonly keepAliveTimeout: number
  /** Between two checks for connections that are out of time. */
  readonly connectionsCheckingInterval: number
}

export const serverTimeouts: ServerTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Balancers keep a connection for 60 s. If the service closed it first, a request that is already on its way would
  // be answered with a reset.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
}
