import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:net'

/**
 * Below the ranges of ports for outgoing connections on Linux (from 32768) and macOS (from 49152), so that a
 * port that is released for a while is still free afterwards.
 */
const lowest = 20_000
const highest = 32_000

/** Listens on a free port of 127.0.0.1 that the system does not assign by itself. */
export async function listenOnQuietPort(server: Server): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    try {
      await listenOn(server, port)
      return port
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
  }
}

/** Resolves when the server listens on the port; rejects if it cannot. */
export async function listenOn(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
