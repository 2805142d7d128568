import { type HttpTransport, http } from 'viem'

/**
 * For a node on this machine. viem times out after 10 s and retries, but when everything starts concurrently
 * on a busy machine a call may take that long. The node's supervisor detects whether the node is still alive.
 */
export const localTransport = (rpcUrl: string | undefined): HttpTransport =>
  http(rpcUrl, { timeout: 300_000, retryCount: 0 })
