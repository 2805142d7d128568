import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { insertUser } from '../../test/insert-user.ts'
import type { Database } from '../schema.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'

const names = async (db: Kysely<Database>) =>
  (await db.selectFrom('users').select('username').orderBy('username').execute()).map((row) => row.username)

describeEachEngine('transactions', (engine) => {
  test("behavior: a concurrent query is not rolled back with another's transaction", async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const begun = Promise.withResolvers<void>()
    const failing = db.transaction().execute(async (trx) => {
      await insertUser(trx, 'rolled back')
      begun.resolve()
      await sleep(100)
      throw new RangeError('changed its mind')
    })
    const concurrent = begun.promise.then(() => insertUser(db, 'kept'))
    await expect(failing).rejects.toThrow(RangeError)
    await concurrent
    expect(await names(db)).toEqual(['kept'])
  })

  test('behavior: two concurrent transactions are isolated', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const transaction = (name: string, fails: boolean) =>
      db.transaction().execute(async (trx) => {
        await insertUser(trx, `${name} 1`)
        await sleep(20)
        await insertUser(trx, `${name} 2`)
        if (fails) throw new RangeError(name)
      })
    const outcomes = await Promise.allSettled([
      transaction('a', false),
      transaction('b', true),
      transaction('c', false),
      transaction('d', true),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(await names(db)).toEqual(['a 1', 'a 2', 'c 1', 'c 2'])
  })

  test('behavior: a commit after a failed statement is an error', async () => {
    await using database = await freshDatabase(engine)
    const swallowing = database.db.transaction().execute(async (trx) => {
      await insertUser(trx, 'lost')
      await insertUser(trx, 'lost').catch(() => {})
    })
    await expect(swallowing).rejects.toThrow()
    expect(await names(database.db)).toEqual([])
  })

  test('behavior: a waiting query that is aborted does not block the others', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const begun = Promise.withResolvers<void>()
    const busy = db.transaction().execute(async (trx) => {
      await insertUser(trx, 'a')
      begun.resolve()
      await sleep(100)
    })
    await begun.promise
    const abort = new AbortController()
    const waiting = db.selectFrom('users').selectAll().execute({ signal: abort.signal })
    abort.abort()
    await waiting.catch(() => {}) // PostgreSQL may have responded already.
    await busy
    expect(await names(db)).toEqual(['a'])
  })

  test('behavior: supports transactions as arguments, savepoints, and queries afterwards', async () => {
    await using database = await freshDatabase(engine)
    await database.db.transaction().execute(async (trx) => expect(await names(trx)).toEqual([]))
    const started = await database.db.startTransaction().execute()
    const saved = await started.savepoint('before').execute()
    await insertUser(saved, 'undone')
    await saved.rollbackToSavepoint('before').execute()
    await started.commit().execute()
    expect(await names(database.db)).toEqual([])
  })

  test('behavior: work that a transaction started may query the database after it has ended', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const later = Promise.withResolvers<void>()
    const background = await db
      .transaction()
      .execute(async () => ({ names: later.promise.then(() => names(db)) }))
    later.resolve()
    expect(await background.names).toEqual([])
  })

  test('error: INTERNAL for a query on the root database inside a transaction', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const mistaken = db.transaction().execute(async () => names(db))
    await expect(mistaken).rejects.toMatchObject({
      code: 'INTERNAL',
      cause: { message: expect.stringContaining('Pass the transaction instead') },
    })
    expect(await names(db)).toEqual([])
  })
})
