import {
  type RpcProxy,
  type RpcRule,
  startRpcProxy,
  startTcpProxy,
  type TcpProxy,
} from '@lanyard/testing/fault-proxy'
import { startOrderService } from '../orders/order-service.ts'

/** A fault between the service and one network. */
export type NetworkFault = { readonly rules: readonly RpcRule[] } | 'refuse'

interface ProxyPair {
  readonly tcp: TcpProxy
  readonly rpc: RpcProxy
}

type StartOptions = NonNullable<Parameters<typeof startOrderService>[0]>

/** Starts the service with networks behind proxies. A test can make the proxies fail. */
export async function startFaultyService(options: StartOptions = {}) {
  const proxies = new Map<number, ProxyPair>()
  const service = await startOrderService({
    ...options,
    async startProxy({ chainId, rpcUrl }) {
      await using started = new AsyncDisposableStack()
      const rpc = started.use(await startRpcProxy(rpcUrl))
      const tcp = started.use(await startTcpProxy({ host: '127.0.0.1', port: rpc.port }))
      proxies.set(chainId, { rpc, tcp })
      const running = started.move()
      return { url: tcp.url('http'), [Symbol.asyncDispose]: () => running.disposeAsync() }
    },
  })
  const proxiesOf = (chainId: number): ProxyPair => {
    const pair = proxies.get(chainId)
    if (pair) return pair
    throw new TypeError(`Unknown network ${chainId}`)
  }
  return {
    ...service,
    proxiesOf,
    /** The fault lasts until `healNetwork`. */
    async breakNetwork(chainId: number, fault: NetworkFault) {
      const { rpc, tcp } = proxiesOf(chainId)
      if (fault === 'refuse') return tcp.set({ kind: 'refuse' })
      rpc.set(...fault.rules)
    },
    async healNetwork(chainId: number) {
      const { rpc, tcp } = proxiesOf(chainId)
      rpc.set()
      await tcp.set({ kind: 'pass' })
    },
  }
}

export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>
