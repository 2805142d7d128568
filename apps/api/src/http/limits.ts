/** Of a request's body, over both transports. */
export const maxBodyBytes = 256 * 1024

/** tRPC calls in one request. */
export const maxBatchSize = 10

/** Milliseconds. What a slow or silent client may hold open; answers take as long as they need. */
export const serverTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
} as const
