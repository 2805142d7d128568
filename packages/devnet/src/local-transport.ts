import { type HttpTransport, http } from 'viem'

/**
 * To an anvil on this machine. viem gives up after 10 s, which a set-up call may take where everything starts at once on a
 * busy machine; whether anvil still lives is for its supervisor to say.
 */
export const localTransport = (rpcUrl: string): HttpTransport =>
  http(rpcUrl, { timeout: 120_000, retryCount: 0 })
