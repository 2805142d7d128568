import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

async function tryListen(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}

/**
 * The first of `count` consecutive ports that are currently free, below those that Linux gives to connections: one of
 * these could be taken before the service listens.
 */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const servers = await Promise.all(Array.from({ length: count }, (_, index) => tryListen(port + index)))
    for (const server of servers) server?.close()
    if (servers.every((server) => server !== undefined)) return port
  }
}
