import { tracingChannel } from 'node:diagnostics_channel'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../open-database.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'

describeEachEngine('column types', (engine) => {
  test('default', async () => {
    await using database = await freshDatabase(engine)
    const { rows } = await sql`
      select 9007199254740991::int8 as int8, 42::int4 as int4, null::int8 as nothing, true as bool,
        '2026-01-02T03:04:05.678Z'::timestamptz as timestamptz, '{"a":[1,"2"]}'::jsonb as jsonb,
        count(*) as count`.execute(database.db)
    expect(rows).toEqual([
      {
        int8: 9007199254740991,
        int4: 42,
        nothing: null,
        bool: true,
        timestamptz: new Date('2026-01-02T03:04:05.678Z'),
        jsonb: { a: [1, '2'] },
        count: 1,
      },
    ])
  })

  test('behavior: numbers, bigints, dates and JSON text come back as they were written', async () => {
    await using database = await freshDatabase(engine)
    const max = 2n ** 256n - 1n
    const time = new Date('2026-01-02T03:04:05.678Z')
    await sql`create table t (a numeric(78, 0), b int8, c timestamptz, d jsonb)`.execute(database.db)
    await sql`insert into t values (${max}, ${2 ** 53 - 1}, ${time}, ${JSON.stringify([{ x: 1 }, 'y'])})`.execute(
      database.db,
    )
    const { rows } = await sql`select * from t`.execute(database.db)
    expect(rows).toEqual([{ a: max, b: 2 ** 53 - 1, c: time, d: [{ x: 1 }, 'y'] }])
  })

  test('error: INTERNAL for an int8 that a number cannot hold', async () => {
    await using database = await freshDatabase(engine)
    await expect(sql`select 9007199254740993::int8`.execute(database.db)).rejects.toMatchObject({
      code: 'INTERNAL',
    })
    await database.ping()
  })
})

describeEachEngine('tracedDialect', (engine) => {
  test('behavior: traces each statement and commit once, in order', async () => {
    await using database = engine === 'postgresql' ? await freshDatabase(engine) : undefined
    await using traced = await openDatabase({ url: database?.url })
    const texts: string[] = []
    const subscriber = {
      start: (statement: unknown) => void texts.push((statement as { sql: string }).sql),
      end() {},
      asyncStart: (statement: unknown) => void texts.push(`${(statement as { sql: string }).sql}: answered`),
      asyncEnd() {},
      error() {},
    }
    const channel = tracingChannel('lanyard:statement')
    channel.subscribe(subscriber)
    try {
      await sql`select 1`.execute(traced.db)
      await traced.db.transaction().execute((trx) => sql`select 2`.execute(trx))
    } finally {
      channel.unsubscribe(subscriber)
    }
    const seen = texts.filter((text) => !text.startsWith('begin'))
    expect(seen).toEqual(['select 1', 'select 2', 'commit'].flatMap((text) => [text, `${text}: answered`]))
  })
})
