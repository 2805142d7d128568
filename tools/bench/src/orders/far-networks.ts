import type { DevnetNetwork } from '@lanyard/devnet'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'

/** Milliseconds added to each round trip, about the latency of a hosted node in the same region. */
export const nodeLatency = 25

export interface FarNetworks extends AsyncDisposable {
  readonly networks: readonly DevnetNetwork[]
  /** One proxy for each network, in the same order. Each counts the requests to its node. */
  readonly proxies: readonly RpcProxy[]
}

/** The same networks with `nodeLatency` added to their nodes. */
export async function moveAway(near: readonly DevnetNetwork[]): Promise<FarNetworks> {
  await using started = new AsyncDisposableStack()
  const proxies: RpcProxy[] = []
  for (const { rpcUrl } of near) proxies.push(started.use(await startRpcProxy(rpcUrl, nodeLatency)))
  const networks = near.map((network, index) => ({
    ...network,
    rpcUrl: proxies[index]?.url ?? network.rpcUrl,
  }))
  const running = started.move()
  return { networks, proxies, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
