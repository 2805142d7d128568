import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { batched, prepared } from './statements.ts'
import { describeEachEngine, freshDatabase } from './testing/index.ts'

describe('batched', () => {
  test('default: concurrent items share a run, and so do items that arrive during it', async () => {
    const runs: (readonly number[])[] = []
    const held = Promise.withResolvers<void>()
    const double = batched(async (items: readonly number[]) => {
      runs.push(items)
      if (runs.length === 1) await held.promise
      return items.map((item) => 2 * item)
    })
    const first = [double(1), double(2)]
    await new Promise(setImmediate)
    const later = [double(3), double(4), double(5)]
    held.resolve()
    expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10])
    expect(runs).toEqual([
      [1, 2],
      [3, 4, 5],
    ])
  })

  test('behavior: if one of 32 items fails, the others succeed', async () => {
    const half = batched(async (items: readonly number[]) => {
      if (items.includes(7)) throw new RangeError('seven')
      return items.map((item) => item / 2)
    })
    const outcomes = await Promise.allSettled(Array.from({ length: 32 }, (_, index) => half(index)))
    expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7])
    expect(outcomes[8]).toMatchObject({ value: 4 })
  })

  test('error: an unavailable database is queried once for all items', async () => {
    let runs = 0
    const fail = batched(async (_items: readonly number[]) => {
      runs++
      throw Object.assign(new Error(), { code: 'DATABASE_UNAVAILABLE' })
    })
    const outcomes = await Promise.allSettled([fail(1), fail(2), fail(3)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(runs).toBe(1)
  })

  test('behavior: respects the maximum number of runs and of items in a run', async () => {
    const runs: number[] = []
    const held = Promise.withResolvers<void>()
    const hold = batched(
      async (items: readonly number[]) => {
        runs.push(items.length)
        await held.promise
        return items
      },
      { maxItems: 2, maxRuns: 2 },
    )
    const answers = [hold(1), hold(2), hold(3)]
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    expect(runs).toEqual([2, 1])
    answers.push(hold(4), hold(5), hold(6))
    await new Promise(setImmediate)
    expect(runs).toEqual([2, 1])
    held.resolve()
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6])
    expect(runs.reduce((sum, count) => sum + count)).toBe(6)
  })
})

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
