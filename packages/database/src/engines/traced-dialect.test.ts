import { tracingChannel } from 'node:diagnostics_channel'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../open-database.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'

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
