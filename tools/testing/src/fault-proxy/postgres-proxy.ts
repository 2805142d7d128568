import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export interface PostgresProxy extends TcpProxy {
  /** The database's URL through the proxy. */
  readonly databaseUrl: string
}

/**
 * A proxy in front of a PostgreSQL server.
 *
 * @param databaseUrl - `postgresql://user@host:port/name`, or with the folder of a unix socket as `?host=`
 */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  const proxy = await startTcpProxy(
    folder ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port },
  )
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return Object.assign(proxy, { databaseUrl: url.href })
}
