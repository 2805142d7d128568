import { type RpcProxy, type RpcRequest, startRpcProxy } from '@lanyard/testing/fault-proxy'

/** One HTTP round trip to a network's node. */
export interface RpcTrip {
  readonly network: number
  readonly requests: readonly RpcRequest[]
}

/** Stands between a service and its nodes: keeps what is asked, and holds questions back when told to. */
export interface RpcGate {
  startProxy(network: { chainId: number; rpcUrl: string }): Promise<RpcProxy>
  /** The round trips since the last time that mention an address. */
  take(mentioned: string): readonly RpcTrip[]
  /** From now on whoever mentions the address waits until so many networks have been asked about it. */
  holdUntilAsked(mentioned: string, networks: number): void
}

export function createRpcGate(): RpcGate {
  let trips: RpcTrip[] = []
  let hold:
    | { mentioned: string; networks: number; asked: Set<number>; open: PromiseWithResolvers<void> }
    | undefined

  async function pass(trip: RpcTrip) {
    trips.push(trip)
    if (!hold || !mentions(trip, hold.mentioned)) return
    hold.asked.add(trip.network)
    if (hold.asked.size === hold.networks) hold.open.resolve()
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
    holdUntilAsked(mentioned, networks) {
      hold = { mentioned, networks, asked: new Set(), open: Promise.withResolvers() }
    },
  }
}

/** Whether a trip, or one request of it, has the address in it. Inside of call data an address has no prefix. */
export const mentions = (asked: RpcTrip | RpcRequest, address: string): boolean =>
  JSON.stringify(asked).toLowerCase().includes(address.toLowerCase().slice(2))
