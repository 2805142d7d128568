import { createServer, type Socket } from 'node:net'
import { type Link, openLink } from './link.ts'
import { listenOn, listenOnQuietPort } from './listen.ts'
import type { TcpFault, TcpTarget } from './tcp-fault.ts'

export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** The proxy's address: `<protocol>://127.0.0.1:<port>`. */
  url(protocol: string): string
  /** Changes its behaviour from now on. */
  set(fault: TcpFault): Promise<void>
  /** The number of connections accepted so far. */
  readonly accepted: number
}

/**
 * A proxy in front of a TCP server or a unix socket. It listens on one port of 127.0.0.1 until it is
 * disposed.
 */
export async function startTcpProxy(target: TcpTarget): Promise<TcpProxy> {
  const links = new Set<Link>()
  let fault: TcpFault = { kind: 'pass' }
  let accepted = 0

  const accept = (client: Socket) => {
    accepted++
    if (fault.kind === 'cut' && !fault.bytes) return void client.on('error', () => {}).resetAndDestroy()
    const link = openLink(client, target, () => fault)
    links.add(link)
    client.once('close', () => links.delete(link))
  }
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, accept)
  const port = await listenOnQuietPort(server)
  const reset = () => {
    for (const link of links) link.reset()
  }
  const stopListening = () =>
    server.listening ? new Promise<void>((resolve) => server.close(() => resolve())) : undefined

  return {
    port,
    url: (protocol) => `${protocol}://127.0.0.1:${port}`,
    get accepted() {
      return accepted
    },
    async set(next) {
      fault = next
      if (next.kind === 'refuse' || next.kind === 'cut') reset()
      if (next.kind === 'refuse') return stopListening()
      if (!server.listening) await listenOn(server, port)
      for (const link of links) link.faultChanged()
    },
    async [Symbol.asyncDispose]() {
      reset()
      await stopListening()
    },
  }
}
