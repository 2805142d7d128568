import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open-database.ts'
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

  test('behavior: nothing to do the second time', async () => {
    await using database = await freshDatabase(engine)
    expect(await migrate(database.db)).toEqual([])
  })

  test('behavior: all or nothing, and the next start tries again', async () => {
    await using database = await freshDatabase(engine)
    const good = statement('create table half (id int4)')
    const bad = statement('select 1 / 0')
    await expect(migrate(database.db, { ...migrations, '8-good': good, '9-bad': bad })).rejects.toThrow(
      'zero',
    )
    expect(await migrate(database.db, { ...migrations, '8-good': good })).toEqual(['8-good'])
  })

  test('behavior: replicas that start at once apply each migration once', async () => {
    await using database = await freshDatabase(engine, { migrated: false })
    const url = database.url
    const replicas = await Promise.all(
      // PGlite has one process only: there it is the same instance four times.
      Array.from({ length: 4 }, async () => (url ? openDatabase({ url }) : database)),
    )
    const slow = statement('select pg_sleep(0.3)')
    const applied = await Promise.all(
      replicas.map(({ db }) => migrate(db, { ...migrations, '9-slow': slow })),
    )
    await Promise.all(replicas.map((replica) => replica.close()))
    expect(applied.flat().sort()).toEqual([...names, '9-slow'])
  })

  test('behavior: requests keep their time-out afterwards', async () => {
    await using database = await freshDatabase(engine)
    const timeout = sql<{ statement_timeout: string }>`show statement_timeout`
    const before = await timeout.execute(database.db)
    await migrate(database.db)
    expect((await timeout.execute(database.db)).rows).toEqual(before.rows)
  })

  test('error: DATABASE_UNAVAILABLE when the database is newer than the code', async () => {
    await using database = await freshDatabase(engine)
    await migrate(database.db, { ...migrations, '9999-future': statement('select 1') })
    await expect(migrate(database.db)).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining('newer than this version of Lanyard (it has 9999-future)'),
    })
  })
})
