import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '@lanyard/database'
import { findPostgresBinaries, startTemporaryCluster } from '@lanyard/database/testing'

export interface Postgres extends AsyncDisposable {
  readonly pid: number
  /** URL of a new empty database for one user. */
  fresh(): Promise<string>
  /** The same, whose statements are written to `log`. */
  watched(): Promise<WatchedDatabase>
  /** The file of the server's log. */
  readonly log: string
}

interface WatchedDatabase {
  readonly url: string
  /** Number of transactions that have written, in all databases. Reading it is not one of them, nor in the log. */
  writes(): Promise<number>
}

/**
 * Starts a temporary PostgreSQL on a unix socket, whose commits wait for the disk. Undefined if it is not
 * installed.
 */
export async function startPostgres(): Promise<Postgres | undefined> {
  const binaries = findPostgresBinaries()
  if (!binaries) return undefined
  const cluster = await startTemporaryCluster(binaries, { durable: true })
  const folder = new URL(cluster.url).searchParams.get('host') ?? ''
  const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
  let count = 0
  const administration = await openDatabase({ url: cluster.url })
  async function create() {
    const name = `bench${count++}`
    await administration.pool?.query(`create database ${name}`)
    return { name, url: cluster.url.replace('/postgres?', `/${name}?`) }
  }
  return {
    pid: Number(pid),
    log: join(folder, 'log'),
    fresh: async () => (await create()).url,
    async watched() {
      const { name, url } = await create()
      await administration.pool?.query(`alter database ${name} set log_statement = 'all'`)
      return {
        url,
        async writes() {
          const { rows = [] } =
            (await administration.pool?.query(
              'select pg_snapshot_xmax(pg_current_snapshot())::text as id',
            )) ?? {}
          return Number(rows[0]?.id)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await administration[Symbol.asyncDispose]()
      await cluster[Symbol.asyncDispose]()
    },
  }
}
