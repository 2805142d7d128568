import pLimit from 'p-limit'
import { fallback, type HttpTransport, http, type Transport } from 'viem'
import type { NetworkConfig } from './config.ts'
import { WrongChainError } from './rpc-errors.ts'

/**
 * An http transport that asks its endpoint for the chain id before its first request: an endpoint that serves
 * another chain is never believed, and the fallback goes on to the next.
 */
function checkedHttp(url: string, { chainId, rpcTimeout, rpcConcurrency }: NetworkConfig): Transport {
  const transport: HttpTransport = http(url, {
    timeout: rpcTimeout,
    retryCount: 1,
    batch: { wait: 0, batchSize: 50 },
  })
  const limited = pLimit(rpcConcurrency)
  // Out here, since the fallback makes its transports anew for each request.
  let checked: Promise<void> | undefined
  return (options) => {
    const inner = transport(options)
    const check = async () => {
      const actual = Number(await inner.request({ method: 'eth_chainId' }))
      if (actual !== chainId) throw new WrongChainError(chainId, actual)
    }
    const request: typeof inner.request = async (body, requestOptions) => {
      checked ??= check().catch((error) => {
        checked = undefined // a failure is not remembered: the endpoint may be back the next time
        throw error
      })
      await checked
      return limited(() => inner.request(body, requestOptions))
    }
    return { ...inner, request }
  }
}

/** All RPC endpoints of a network as one transport: the first that answers, the others in reserve. */
export function chainTransport(config: NetworkConfig): Transport {
  return fallback(
    config.rpcUrls.map((url) => checkedHttp(url, config)),
    { retryCount: 0 },
  )
}
