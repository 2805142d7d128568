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
 * Listens on PORT. If PORT is not set and the default port is taken, it uses a free one.
 *
 * @returns the port
 * @throws ConfigurationError when the configured port is taken
 */
export async function listen(server: Server, { PORT, HOST }: Pick<Env, 'PORT' | 'HOST'>): Promise<number> {
  const listening =
    (await tryToListen(server, PORT ?? defaultPort, HOST)) ||
    (PORT === undefined && (await tryToListen(server, 0, HOST)))
  if (!listening)
    throw new ConfigurationError('The environment', [`PORT: ${PORT} is taken by another process`])
  return (server.address() as AddressInfo).port // it listens on TCP
}
