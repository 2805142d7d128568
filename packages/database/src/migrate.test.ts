/** @module-tag all */
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open-database.ts'
import { readMigrations } from './read-migrations.ts'
import { describeEachEngine, freshDatabase } from './testing/index.ts'

const names = Object.keys(migrations)
const statement = (text: string): Migration => ({
  up: async (db) => void (await sql.raw(text).execute(db)),
})

describeEachEngine('migrate', (engine) => {
  test('default', async () => {
    await using database = await freshDatabase(engine, { migrated: false })
    expect(await migrate(database.db)).toEqual(names)
    expect(await database.db.selectFrom('users').selectAll().execute()).toEqual([])
  })

  test('behavior: has nothing to do the second time', async () => {
    await using database = await freshDatabase(engine)
    expect(await migrate(database.db)).toEqual([])
  })

  test('behavior: applies all or nothing, and the next start tries again', async () => {
    await using database = await freshDatabase(engine)
    const good = statement('create table half (id int4)')
    const bad = statement('select 1 / 0')
    await expect(migrate(database.db, { ...migrations, '8-good': good, '9-bad': bad })).rejects.toThrow(
      'zero',
    )
    expect(await migrate(database.db, { ...migrations, '8-good': good })).toEqual(['8-good'])
  })

  test('behavior: replicas that start concurrently apply each migration once', async () => {
    await using database = await freshDatabase(engine, { migrated: false })
    const url = database.url
    const replicas = await Promise.all(
      // PGlite has only one process, so it is the same instance four times.
      Array.from({ length: 4 }, async () => (url ? openDatabase({ url }) : database)),
    )
    const slow = statement('select pg_sleep(0.3)')
    const applied = await Promise.all(
      replicas.map(({ db }) => migrate(db, { ...migrations, '9-slow': slow })),
    )
    await Promise.all(replicas.map((replica) => replica.close()))
    expect(applied.flat().sort()).toEqual([...names, '9-slow'])
  })

  test('behavior: keeps the time-out of requests afterwards', async () => {
    await using database = await freshDatabase(engine)
    const timeout = sql<{ statement_timeout: string }>`show statement_timeout`
    const before = await timeout.execute(database.db)
    await migrate(database.db)
    expect((await timeout.execute(database.db)).rows).toEqual(before.rows)
  })

  test('behavior: does not lock a table that is in use, and tries again', async () => {
    await using database = await freshDatabase(engine)
    const { url } = database
    // PGlite has one connection, so no other client can hold a lock.
    if (!url) return
    await using user = await openDatabase({ url })
    const widen = statement('alter table users add column note text')
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const reading = user.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('users').selectAll().execute()
      locked.resolve()
      await held.promise
    })
    await locked.promise
    let done = false
    const migrating = migrate(database.db, { ...migrations, '9998-widen': widen }).finally(() => {
      done = true
    })
    const waits = sql<{ waits: boolean }>`select exists (
      select from pg_locks where relation = 'users'::regclass and not granted) as waits`
    for (let query = 0; query < 2; query++) {
      await expect.poll(async () => (await waits.execute(user.db)).rows).toEqual([{ waits: true }])
      // It queues behind the migration until the migration pauses.
      expect(await user.db.selectFrom('users').selectAll().execute()).toEqual([])
    }
    expect(done).toBe(false)
    held.resolve()
    await reading
    expect(await migrating).toEqual(['9998-widen'])
  })

  test('behavior: accepts the additions of a newer version, and leaves them unchanged', async () => {
    await using database = await freshDatabase(engine)
    const newer = { ...migrations, '9998-expansion': statement('alter table users add column note text') }
    await migrate(database.db, newer)
    expect(await migrate(database.db)).toEqual([])
    expect(await readMigrations(database.db)).toMatchObject({ pending: [], newer: ['9998-expansion'] })
  })

  test('error: DATABASE_UNAVAILABLE if a newer version has removed something', async () => {
    await using database = await freshDatabase(engine)
    await migrate(database.db, { ...migrations, '9999-contract-users': statement('select 1') })
    await expect(migrate(database.db)).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining('newer than this version of Lanyard (it has 9999-contract-users)'),
    })
  })

  test('error: DATABASE_UNAVAILABLE for a schema from before the first release, with what to do', async () => {
    await using database = await freshDatabase(engine, { migrated: false })
    const { '0001-first-release': first, ...others } = migrations
    if (!first) throw new Error('the first migration has another name')
    const nothing = statement('select 1')
    const earlier = ['0002-operations', '0003-relayers', '0004-requests'].map((name) => [name, nothing])
    await migrate(database.db, { '0001-accounts': first, ...Object.fromEntries(earlier), ...others })
    await expect(migrate(database.db)).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringMatching(
        /has 0001-accounts and 3 more, and lacks 0001-first-release.* Start with an empty database or DATA_DIR/,
      ),
    })
    // None of this version's migrations was applied.
    expect((await readMigrations(database.db)).pending).toEqual(['0001-first-release'])
  })

  test('error: DATABASE_UNAVAILABLE if the migrations have diverged', async () => {
    await using database = await freshDatabase(engine)
    await migrate(database.db, { ...migrations, '9998-theirs': statement('select 1') })
    await expect(
      migrate(database.db, { ...migrations, '9998-ours': statement('select 1') }),
    ).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining('it has 9998-theirs, and lacks 9998-ours'),
    })
  })
})

describeEachEngine('readMigrations', (engine) => {
  test('default', async () => {
    await using empty = await freshDatabase(engine, { migrated: false })
    expect(await readMigrations(empty.db)).toEqual({ applied: [], pending: names, newer: [] })
    await using database = await freshDatabase(engine)
    const { applied, pending } = await readMigrations(database.db)
    expect([applied.map(({ name }) => name), pending]).toEqual([names, []])
    for (const { at } of applied) expect(at.getTime()).not.toBeNaN()
  })
})
