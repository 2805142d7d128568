import { type HttpTransport, http } from 'viem'

/**
 * To a node on this machine. viem gives up after 10 s and asks again, which a call may take where everything starts at once
 * on a busy machine; whether the node still lives is for its supervisor to say.
 */
export const localTransport = (rpcUrl: string | undefined): HttpTransport =>
  http(rpcUrl, { timeout: 300_000, retryCount: 0 })
