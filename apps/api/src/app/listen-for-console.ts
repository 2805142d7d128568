import type { OpenDatabase } from '@lanyard/database'
import { createConsole } from '../console/create-console.ts'
import { inviteLocalOperator } from '../console/invite-local-operator.ts'
import { createHttpServer } from '../http/http-server.ts'
import type { Services } from '../pipeline/services.ts'
import type { Env } from '../platform/environment/env.ts'
import type { Closers } from './closers.ts'
import { listen } from './listen.ts'

/** The port of the console without CONSOLE_PORT. */
const usualPort = 3100

/** Milliseconds that requests of the console get at shutdown. */
const responseTimeout = 1_000

export interface RunningConsole {
  /** `http://localhost:3100` */
  readonly origin: string
  /** A link for the first operator of a local service; undefined if it has one, and always on real networks. */
  readonly invitation: string | undefined
}

/**
 * Opens the socket of the console, so that a port that is taken is reported first.
 *
 * @throws ConfigurationError
 */
export async function listenForConsole(
  { CONSOLE_PORT, CONSOLE_HOST }: Pick<Env, 'CONSOLE_PORT' | 'CONSOLE_HOST'>,
  closers: Closers,
): Promise<{ serve(services: Services, pool: OpenDatabase['pool']): Promise<RunningConsole> }> {
  const http = createHttpServer()
  const place = {
    variable: 'CONSOLE_PORT',
    port: CONSOLE_PORT,
    usual: usualPort,
    host: CONSOLE_HOST,
  } as const
  const port = await listen(http.server, place)
  closers.add('the console', () => http.close(responseTimeout))
  return {
    async serve(services, pool) {
      const { origin, listener } = createConsole(services, { pool, port })
      http.serve(listener)
      return { origin, invitation: await inviteLocalOperator(services, origin) }
    },
  }
}
