import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { prepared } from './prepared.ts'
import { describeEachEngine, freshDatabase } from './testing/index.ts'

describeEachEngine('prepared', (engine) => {
  test('default: it is built once, and each call has its own values', async () => {
    await using database = await freshDatabase(engine)
    let built = 0
    const repeat = prepared((db, { text, count }: { readonly text: string; readonly count: number }) => {
      built++
      return db.selectNoFrom([
        sql<string>`repeat(${text}::text, ${count}::int4)`.as('first'),
        sql<string>`${text}::text || ${1}::int4`.as('second'),
      ])
    })
    expect(await repeat(database.db, { text: 'ab', count: 2 })).toEqual([{ first: 'abab', second: 'ab1' }])
    expect(await repeat(database.db, { text: 'c', count: 3 })).toEqual([{ first: 'ccc', second: 'c1' }])
    expect(built).toBe(1)
  })

  test('behavior: it runs in the transaction that it is given', async () => {
    await using database = await freshDatabase(engine)
    const isInTransaction = prepared((db, _: object) =>
      db.selectNoFrom(sql<boolean>`now() <> statement_timestamp()`.as('is')),
    )
    const answers = await database.db.transaction().execute(async (transaction) => {
      await sql`select pg_sleep(0.001)`.execute(transaction)
      return isInTransaction(transaction, {})
    })
    expect(answers).toEqual([{ is: true }])
  })
})
