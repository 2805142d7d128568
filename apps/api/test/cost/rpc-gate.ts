import { type RpcProxy, type RpcRequest, startRpcProxy } from '@lanyard/testing/fault-proxy'

/** One HTTP round trip to a network's node. */
export interface RpcTrip {
  readonly network: number
  readonly requests: readonly RpcRequest[]
}

/** A gate between a service and its nodes. It records requests and can hold them back. */
export interface RpcGate {
  startProxy(network: { chainId: number; rpcUrl: string }): Promise<RpcProxy>
  /** The round trips since the last call that mention an address. */
  take(mentioned: string): readonly RpcTrip[]
  /** From now on, a request that mentions the address waits until this many networks have received one. */
  holdUntilRequested(mentioned: string, networks: number): void
}

export function createRpcGate(): RpcGate {
  let trips: RpcTrip[] = []
  let hold:
    | { mentioned: string; networks: number; requested: Set<number>; open: PromiseWithResolvers<void> }
    | undefined

  async function pass(trip: RpcTrip) {
    trips.push(trip)
    if (!hold || !mentions(trip, hold.mentioned)) return
    hold.requested.add(trip.network)
    if (hold.requested.size === hold.networks) hold.open.resolve()
    await hold.open.promise
  }

  return {
    startProxy: ({ chainId, rpcUrl }) =>
      startRpcProxy(rpcUrl, 0, (requests) => pass({ network: chainId, requests })),
    take(mentioned) {
      const taken = trips.filter((trip) => mentions(trip, mentioned))
      trips = []
      return taken
    },
    holdUntilRequested(mentioned, networks) {
      hold = { mentioned, networks, requested: new Set(), open: Promise.withResolvers() }
    },
  }
}

/** Whether a round trip or a request mentions the address. Call data contains addresses without a prefix. */
export const mentions = (sent: RpcTrip | RpcRequest, address: string): boolean =>
  JSON.stringify(sent).toLowerCase().includes(address.toLowerCase().slice(2))
