import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import type { StartOptions } from '../orders/order-service.ts'

/** Two RPCs of each network, as if of different providers; both lead to the same node. */
export function twoRpcs() {
  const proxies = new Map<number, readonly [RpcProxy, RpcProxy]>()
  const options = {
    settings: { rpcOrigins: ['first', 'second'], accountKinds: ['safe', 'eip7702'] },
    async startProxy({ chainId, rpcUrl }) {
      await using started = new AsyncDisposableStack()
      const first = started.use(await startRpcProxy(rpcUrl))
      const second = started.use(await startRpcProxy(rpcUrl))
      proxies.set(chainId, [first, second])
      const running = started.move()
      return { url: first.url, further: [second.url], [Symbol.asyncDispose]: () => running.disposeAsync() }
    },
  } satisfies StartOptions
  return {
    options,
    /** The RPCs of a network, in order. */
    rpcsOf(chainId: number): readonly [RpcProxy, RpcProxy] {
      const pair = proxies.get(chainId)
      if (pair) return pair
      throw new TypeError(`There is no network ${chainId}`)
    },
    /** All RPCs tell the truth again. */
    heal() {
      for (const proxy of [...proxies.values()].flat()) proxy.set()
    },
  }
}
