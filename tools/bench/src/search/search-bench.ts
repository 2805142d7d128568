import { createHash } from 'node:crypto'
import { findUserByName, migrate, openDatabase, searchUsers } from '@lanyard/database'
import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import type { Comparison } from '../report/result.ts'
import { percentile, timed } from '../report/statistics.ts'
import { fillUsers } from './fill-users.ts'

const users = 1_000_000
const rounds = 300
const warmUp = 30

/** Milliseconds: filling takes longer than the time-out of requests. */
const maxStatementTime = 600_000

const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')

/** The name of user i, as in `fillUsers`. */
const nameOf = (i: number) => `${hash('md5', String(i)).slice(0, 12)}-${i}`
const addressOf = (i: number) => `0x${hash('sha256', `account${i}`).slice(0, 40)}`

/** Users spread over the whole range. None of them has an e-mail address as name. */
const userOf = (round: number) => ((round * 7919) % (users / 5)) * 5 + 1

async function postgresVersion(pool: { query(text: string): Promise<{ rows: unknown[] }> }): Promise<string> {
  const { rows } = await pool.query('show server_version')
  const [row] = rows
  return typeof row === 'object' && row !== null ? String(Object.values(row)[0]) : 'unknown'
}

/** Search among a million users, compared with a look-up by name in the same run. */
export const searchBench: Bench = {
  name: 'search',
  async run(progress) {
    await using postgres = await startPostgres()
    if (!postgres) throw new Error('This bench needs PostgreSQL on this machine.')
    await using database = await openDatabase({
      url: await postgres.fresh(),
      maxConnections: 1, // so that session settings apply to every statement
      answerBound: maxStatementTime,
    })
    const { db } = database
    await migrate(db)
    if (!database.pool) throw new TypeError('A database with a URL is PostgreSQL, and has a pool')
    await database.pool.query(`set statement_timeout = ${maxStatementTime}`)
    await fillUsers(database.pool, users, progress)

    const queries: Record<string, (i: number) => Promise<unknown>> = {
      lookUp: (i: number) => findUserByName(db, nameOf(i)),
      'Prefix of 6 characters': (i: number) => searchUsers(db, nameOf(i).slice(0, 6)),
      'Prefix of 2 characters': (i: number) => searchUsers(db, nameOf(i).slice(0, 2)),
      'Substring of 3 characters': (i: number) => searchUsers(db, nameOf(i).slice(4, 7)),
      'Substring of 6 characters': (i: number) => searchUsers(db, nameOf(i).slice(4, 10)),
      'Whole address': (i: number) => searchUsers(db, addressOf(i)),
      'Beginning of an address, 10 characters': (i: number) => searchUsers(db, addressOf(i).slice(0, 10)),
    }
    progress(`${rounds} queries of each kind, in turn`)
    const times = new Map(Object.keys(queries).map((name) => [name, [] as number[]]))
    for (let round = 0; round < warmUp + rounds; round++) {
      for (const [name, query] of Object.entries(queries)) {
        const { ms } = await timed(() => query(userOf(round)))
        if (round >= warmUp) times.get(name)?.push(ms)
      }
    }
    const p99 = (name: string) => percentile(times.get(name) ?? [], 99)
    const comparisons = Object.keys(queries)
      .filter((name) => name !== 'lookUp')
      .map(
        (name): Comparison => ({
          what: `${name}, p99`,
          unit: 'ms',
          ours: p99(name),
          peer: p99('lookUp'),
          peerName: 'look-up by the whole name',
          ...(name.startsWith('Prefix') && {
            goal: { of: 'ratio', bound: 'at most', value: 3 } as const,
            whenMissed:
              'few names start with six given characters, so names that contain them fill the page. The same statement finds these by trigrams, while the look-up reads one row. The p99 of a few hundred queries also depends on other work on the machine.',
          }),
        }),
      )
    return {
      title: 'Search',
      method: `${users.toLocaleString('en-US')} users and accounts in PostgreSQL, the same in every run. Each query runs ${rounds} times over one connection, alternating, each time for another user. No search reads a whole table, and a search by prefix reads no more rows than its page: see \`packages/database/src/users/query-plans.test.ts\`.`,
      versions: { PostgreSQL: await postgresVersion(database.pool) },
      comparisons,
    }
  },
}
