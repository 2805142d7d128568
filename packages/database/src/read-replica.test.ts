/** @module-tag all */
import { type PostgresProxy, startPostgresProxy } from '@lanyard/testing/fault-proxy'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from './log.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import type { OpenDatabase } from './opened-database.ts'
import { openReadReplica, type ReadReplica, type ReplicaOutcome } from './read-replica.ts'
import { findPostgresBinaries, startTemporaryCluster } from './testing/index.ts'

const binaries = findPostgresBinaries('pg_basebackup')

/** Milliseconds that a replica is left alone after a failure: longer than a test, until the test opens another one. */
const restTime = 600_000

describe.skipIf(binaries === undefined)('a read replica', () => {
  const stack = new AsyncDisposableStack()
  let primary: OpenDatabase
  let standby: OpenDatabase
  let proxy: PostgresProxy
  let reads: ReadReplica
  let outcomes: ReplicaOutcome[] = []

  /** @param answerTimeout - milliseconds; short for a replica that is silent. A busy one is not away. */
  const open = (url: string, answerTimeout = 60_000) =>
    openReadReplica({
      ...{ primary: primary.db, url, log: silentLog, restTime, answerTimeout },
      observe: (outcome) => outcomes.push(outcome),
    })

  beforeAll(async () => {
    if (binaries === undefined) return
    // A commit that is answered is on disk, as in production.
    const cluster = stack.use(await startTemporaryCluster(binaries, { durable: true }))
    const replica = stack.use(await startTemporaryCluster(binaries, { durable: true, standbyOf: cluster }))
    primary = stack.use(await openDatabase({ url: cluster.url }))
    standby = stack.use(await openDatabase({ url: replica.url }))
    await migrate(primary.db)
    proxy = stack.use(await startPostgresProxy(replica.url))
  })
  afterAll(() => stack.disposeAsync())
  beforeEach(async () => {
    await proxy.set({ kind: 'pass' })
    await sql`drop table if exists marks`.execute(primary.db)
    await sql`create table marks (number int4 generated always as identity)`.execute(primary.db)
    outcomes = []
    await reads?.close()
    reads = open(proxy.databaseUrl)
  })

  const count = () =>
    reads.read(async (database) => {
      const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from marks`.execute(
        database,
      )
      return rows[0]?.count
    })
  const mark = () => sql`insert into marks default values`.execute(primary.db)

  test('default: a read sees what was committed before it, on the replica', async () => {
    for (let number = 1; number <= 50; number++) {
      await mark()
      expect(await count()).toBe(number)
    }
    // A busy machine may replay late; the answers are right either way.
    expect(outcomes).toContain('replica')
    expect(outcomes).not.toContain('away')
  })

  test('behavior: while the replica is behind, the primary answers', async () => {
    expect(await count()).toBe(0)
    await sql`select pg_wal_replay_pause()`.execute(standby.db)
    try {
      await mark()
      expect(await count()).toBe(1)
      expect(outcomes.at(-1)).toBe('behind')
    } finally {
      await sql`select pg_wal_replay_resume()`.execute(standby.db)
    }
    await expect.poll(async () => [await count(), outcomes.at(-1)]).toEqual([1, 'replica'])
  })

  test.each([
    ['refuses', { kind: 'refuse' }],
    ['is silent', { kind: 'black-hole', forever: true }],
    ['breaks its connections', { kind: 'cut' }],
  ] as const)(
    'behavior: a replica that %s is left alone for a while, and the primary answers',
    async (_, fault) => {
      await reads.close()
      reads = open(proxy.databaseUrl, 500)
      await count()
      await proxy.set(fault)
      await mark()
      outcomes = []
      expect(await count()).toBe(1)
      expect(outcomes).toEqual(['away'])
      const { accepted } = proxy
      await proxy.set({ kind: 'pass' })
      expect(await count()).toBe(1)
      expect([outcomes, proxy.accepted]).toEqual([['away', 'away'], accepted])
    },
  )

  test('behavior: a service starts without its replica', async () => {
    await proxy.set({ kind: 'refuse' })
    reads = open(proxy.databaseUrl)
    expect(await count()).toBe(0)
    expect(outcomes).toEqual(['away'])
  })

  test('behavior: one failed read is answered by the primary, and the replica stays in use', async () => {
    const { rows } = await reads.read((database) =>
      sql<{ one: number }>`select 1 / (case when pg_is_in_recovery() then 0 else 1 end) as one`.execute(
        database,
      ),
    )
    expect(rows).toEqual([{ one: 1 }])
    await count()
    expect(outcomes[0]).toBe('away')
    expect(outcomes[1]).not.toBe('away')
  })

  test('behavior: what fails on the replica fails as on the primary', async () => {
    await expect(reads.read((database) => sql`select no_such_column`.execute(database))).rejects.toThrow(
      /no_such_column/,
    )
  })

  test('behavior: a standby that was promoted is not read any more', async () => {
    await count()
    await sql`select pg_promote()`.execute(standby.db)
    await mark()
    expect(await count()).toBe(1)
    expect(outcomes.at(-1)).toBe('behind')
  })
})
