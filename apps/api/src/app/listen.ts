import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigurationError } from '../platform/environment/configuration-error.ts'

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

interface Place {
  /** The variable that sets the port. */
  readonly variable: 'PORT' | 'CONSOLE_PORT'
  /** Its value; undefined if it is not set. */
  readonly port: number | undefined
  /** The port without that variable. */
  readonly usual: number
  readonly host: string
}

/**
 * Listens on a port. If none is set and the usual one is taken, it uses a free one.
 *
 * @returns the port
 * @throws ConfigurationError when the configured port is taken
 */
export async function listen(server: Server, { variable, port, usual, host }: Place): Promise<number> {
  const listening =
    (await tryToListen(server, port ?? usual, host)) ||
    (port === undefined && (await tryToListen(server, 0, host)))
  if (!listening)
    throw new ConfigurationError('The environment', [`${variable}: ${port} is taken by another process`])
  return (server.address() as AddressInfo).port // it listens on TCP
}
