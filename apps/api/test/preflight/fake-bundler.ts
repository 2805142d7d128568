import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A fake bundler that answers only the chain id and entry points. */
export interface FakeBundler extends AsyncDisposable {
  readonly url: string
  answers: { readonly chainId: number; readonly entryPoints: readonly string[] }
}

export async function startFakeBundler(): Promise<FakeBundler> {
  const server = createServer(async (request, response) => {
    const { id, method } = (await json(request)) as { id: number; method: string } // the request comes from viem
    const { chainId, entryPoints } = bundler.answers
    const result = method === 'eth_chainId' ? `0x${chainId.toString(16)}` : entryPoints
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a server that listens on TCP has a port
  const bundler: FakeBundler = {
    url: `http://127.0.0.1:${port}`,
    answers: { chainId: 0, entryPoints: [] },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return bundler
}
