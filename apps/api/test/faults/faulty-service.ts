import {
  type RpcProxy,
  type RpcRule,
  startRpcProxy,
  startTcpProxy,
  type TcpProxy,
} from '@lanyard/testing/fault-proxy'
import { startOrderService } from '../orders/order-service.ts'

/** What goes wrong between the service and one network. */
export type NetworkFault = { readonly rules: readonly RpcRule[] } | 'refuse'

interface Line {
  readonly tcp: TcpProxy
  readonly rpc: RpcProxy
}

type StartOptions = NonNullable<Parameters<typeof startOrderService>[0]>

/** The service with three networks, each behind proxies that misbehave when a test says so. */
export async function startFaultyService(options: StartOptions = {}) {
  const lines = new Map<number, Line>()
  const service = await startOrderService({
    ...options,
    async startProxy({ chainId, rpcUrl }) {
      await using started = new AsyncDisposableStack()
      const rpc = started.use(await startRpcProxy(rpcUrl))
      const tcp = started.use(await startTcpProxy({ host: '127.0.0.1', port: rpc.port }))
      lines.set(chainId, { rpc, tcp })
      const running = started.move()
      return { url: tcp.url('http'), [Symbol.asyncDispose]: () => running.disposeAsync() }
    },
  })
  const lineOf = (chainId: number): Line => {
    const line = lines.get(chainId)
    if (line) return line
    throw new TypeError(`There is no network ${chainId}`)
  }
  return {
    ...service,
    lineOf,
    /** From now on, until the network is healed. */
    async breakNetwork(chainId: number, fault: NetworkFault) {
      const { rpc, tcp } = lineOf(chainId)
      if (fault === 'refuse') return tcp.set({ kind: 'refuse' })
      rpc.set(...fault.rules)
    },
    async healNetwork(chainId: number) {
      const { rpc, tcp } = lineOf(chainId)
      rpc.set()
      await tcp.set({ kind: 'pass' })
    },
  }
}

export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>
