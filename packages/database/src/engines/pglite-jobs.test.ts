import { sql } from 'kysely'
import { fromPglite, PgBoss } from 'pg-boss'
import { describe, expect, test } from 'vitest'
import type { OpenDatabase } from '../opened-database.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'

function openJobs({ jobs }: OpenDatabase): PgBoss {
  const boss =
    'pglite' in jobs
      ? new PgBoss({ db: fromPglite(jobs.pglite), backend: 'pglite' })
      : new PgBoss({ ...jobs })
  return boss.on('error', () => {})
}

describeEachEngine('pg-boss beside our queries', (engine) => {
  test('behavior: start, send, work, stop', async () => {
    await using database = await freshDatabase(engine)
    const boss = await openJobs(database).start()
    await boss.createQueue('greet')
    await boss.send('greet', { name: 'alice' })
    const worked = Promise.withResolvers<unknown>()
    await boss.work('greet', { pollingIntervalSeconds: 0.5 }, async ([job]) => worked.resolve(job?.data))
    expect(await worked.promise).toEqual({ name: 'alice' })
    await boss.stop({ graceful: true })
    await database.ping()
  })

  test('behavior: jobs and transactions at once', async () => {
    await using database = await freshDatabase(engine)
    const boss = await openJobs(database).start()
    await boss.createQueue('count')
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        await boss.send('count', { index })
        await database.db.transaction().execute((trx) => sql`select ${index}::int4`.execute(trx))
      }),
    )
    expect(await boss.fetch('count', { batchSize: 20 })).toHaveLength(10)
    await boss.stop({ graceful: false })
  })
})

describe('pg-boss on the shared PGlite', () => {
  test('behavior: its own queries may answer fractions', async () => {
    await using database = await freshDatabase('pglite')
    if (!('pglite' in database.jobs)) throw new Error('PGlite shares its instance')
    const { rows } = await database.jobs.pglite.query('select 19.592 as seconds')
    expect(rows).toEqual([{ seconds: '19.592' }])
  })

  test('behavior: its failed transaction does not leak into our queries', async () => {
    await using database = await freshDatabase('pglite')
    if (!('pglite' in database.jobs)) throw new Error('PGlite shares its instance')
    const jobs = fromPglite(database.jobs.pglite)
    const failing = jobs.executeSql('begin; create table t (a int4); select 1 / 0; commit')
    const ours = database.ping()
    await expect(failing).rejects.toThrow('zero')
    await ours
    await expect(sql`select * from t`.execute(database.db)).rejects.toThrow('does not exist')
  })

  test('error: INTERNAL for a job sent inside a transaction without it', async () => {
    await using database = await freshDatabase('pglite')
    const boss = await openJobs(database).start()
    await boss.createQueue('greet')
    const mistaken = database.db.transaction().execute(() => boss.send('greet', {}))
    await expect(mistaken).rejects.toMatchObject({ code: 'INTERNAL' })
    await boss.stop({ graceful: false })
  })
})
