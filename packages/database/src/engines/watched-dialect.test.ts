import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../open-database.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'

describeEachEngine('aroundStatement', (engine) => {
  test('behavior: is called once for each statement and commit, in order', async () => {
    await using database = engine === 'postgresql' ? await freshDatabase(engine) : undefined
    const texts: string[] = []
    await using watched = await openDatabase({
      url: database?.url,
      aroundStatement: async (text, run) => {
        texts.push(text)
        const result = await run()
        texts.push(`${text}: answered`)
        return result
      },
    })
    await sql`select 1`.execute(watched.db)
    await watched.db.transaction().execute((trx) => sql`select 2`.execute(trx))
    const seen = texts.filter((text) => !text.startsWith('begin'))
    expect(seen).toEqual(['select 1', 'select 2', 'commit'].flatMap((text) => [text, `${text}: answered`]))
  })
})
