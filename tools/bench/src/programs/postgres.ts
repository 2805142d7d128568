import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '@lanyard/database'
import { findPostgresBinaries, startTemporaryCluster } from '@lanyard/database/testing'

export interface Postgres extends AsyncDisposable {
  readonly pid: number
  /** URL of a new empty database for one user. */
  fresh(): Promise<string>
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
  return {
    pid: Number(pid),
    async fresh() {
      await using database = await openDatabase({ url: cluster.url })
      const name = `bench${count++}`
      await database.pool?.query(`create database ${name}`)
      return cluster.url.replace('/postgres?', `/${name}?`)
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  }
}
