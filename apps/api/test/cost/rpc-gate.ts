import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** One HTTP round trip to a network's node. */
export interface RpcTrip {
  readonly network: number
  readonly requests: readonly { readonly method: string; readonly params?: readonly unknown[] }[]
  /** As it was sent, in lower case. */
  readonly text: string
}

/** Stands between a service and its nodes: keeps what is asked, and holds questions back when told to. */
export interface RpcGate {
  startProxy(network: { chainId: number; rpcUrl: string }): Promise<AsyncDisposable & { url: string }>
  /** The round trips since the last time that mention an address or another text. */
  take(mentioned: string): readonly RpcTrip[]
  /** From now on whoever mentions the text waits until so many networks have been asked about it. */
  holdUntilAsked(mentioned: string, networks: number): void
}

export function createRpcGate(): RpcGate {
  let trips: RpcTrip[] = []
  let hold:
    | { mentioned: string; networks: number; asked: Set<number>; open: PromiseWithResolvers<void> }
    | undefined

  async function pass(trip: RpcTrip) {
    trips.push(trip)
    if (!hold || !trip.text.includes(hold.mentioned)) return
    hold.asked.add(trip.network)
    if (hold.asked.size === hold.networks) hold.open.resolve()
    await hold.open.promise
  }

  return {
    async startProxy({ chainId, rpcUrl }) {
      const answer = async (request: IncomingMessage, response: ServerResponse) => {
        const body = (await buffer(request)).toString()
        const asked = JSON.parse(body)
        await pass({ network: chainId, requests: [asked].flat(), text: body.toLowerCase() })
        const headers = { 'content-type': 'application/json' }
        const answered = await fetch(rpcUrl, { method: 'POST', headers, body })
        response.writeHead(answered.status, headers).end(await answered.text())
      }
      const server = createServer((request, response) => {
        answer(request, response).catch(() => response.destroy())
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo // it listens on a port
      return {
        url: `http://127.0.0.1:${port}`,
        async [Symbol.asyncDispose]() {
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
        },
      }
    },
    take(mentioned) {
      const taken = trips.filter(({ text }) => text.includes(bare(mentioned)))
      trips = []
      return taken
    },
    holdUntilAsked(mentioned, networks) {
      hold = { mentioned: bare(mentioned), networks, asked: new Set(), open: Promise.withResolvers() }
    },
  }
}

/** Inside of call data an address has no prefix. */
const bare = (address: string) => address.toLowerCase().replace(/^0x/, '')
