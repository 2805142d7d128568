import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigurationError } from '../platform/environment/configuration-error.ts'
import type { Env } from '../platform/environment/env.ts'

const defaultPort = 3000

async function tryToListen(server: Server, port: number, host: string): Promise<boolean> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
}

/**
 * Listens on PORT. When it is not set, and the default port is taken, a free one does.
 *
 * @returns the port
 * @throws ConfigurationError when the port that was asked for is taken
 */
export async function listen(server: Server, { PORT, HOST }: Pick<Env, 'PORT' | 'HOST'>): Promise<number> {
  const listening =
    (await tryToListen(server, PORT ?? defaultPort, HOST)) ||
    (PORT === undefined && (await tryToListen(server, 0, HOST)))
  if (!listening)
    throw new ConfigurationError('The environment', [`PORT: ${PORT} is taken by another process`])
  return (server.address() as AddressInfo).port // it listens on TCP
}
