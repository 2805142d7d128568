// @promise 24
/** @module-tag all */
import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../open-database.ts'
import { freshDatabase, type TestDatabase, testEngines } from '../testing/index.ts'
import { type ConnectionQueue, createArrivalQueue, FairPool } from './fair-pool.ts'

/** The last that came is first, so that pg's own order would show. */
function lastFirst(): ConnectionQueue & { readonly waiting: Set<() => void> } {
  const waiting = new Set<() => void>()
  return {
    waiting,
    add: (start) => void waiting.add(start),
    take() {
      const last = [...waiting].at(-1)
      if (last) waiting.delete(last)
      return last
    },
    delete: (start) => void waiting.delete(start),
  }
}

describe.skipIf(!testEngines().includes('postgresql'))('connections of a pool (PostgreSQL)', () => {
  async function single(database: TestDatabase) {
    const queue = lastFirst()
    const opened = await openDatabase({ url: database.url, maxConnections: 1, createQueue: () => queue })
    const { pool } = opened
    if (!pool) throw new TypeError('It is a PostgreSQL')
    return { ...opened, pool, queue }
  }

  test('behavior: they are given in the order of the queue, by whichever way they are asked for', async () => {
    await using database = await freshDatabase('postgresql')
    await using opened = await single(database)
    const { db, pool, queue } = opened
    const order: string[] = []
    const held = await pool.connect()
    const ways: (() => Promise<unknown>)[] = [
      () => pool.query('select 1').then(() => order.push('query')),
      () => sql`select 1`.execute(db).then(() => order.push('statement')),
      () => db.transaction().execute(async () => order.push('transaction')),
      async () => {
        const client = await pool.connect()
        order.push('connect')
        client.release()
      },
    ]
    const asked: Promise<unknown>[] = []
    for (const ask of ways) {
      asked.push(ask())
      await expect.poll(() => queue.waiting.size).toBe(asked.length)
    }
    held.release()
    await Promise.all(asked)
    expect(order).toEqual(['connect', 'transaction', 'statement', 'query'])
    expect(pool.totalCount).toBe(1)
  })

  test('behavior: a connection that broke leaves its place to the next one', async () => {
    await using database = await freshDatabase('postgresql')
    await using opened = await single(database)
    const { pool, queue } = opened
    const held = await pool.connect()
    const next = pool.query('select 1 as one')
    await expect.poll(() => queue.waiting.size).toBe(1)
    held.release(new Error('broken'))
    expect((await next).rows).toEqual([{ one: 1 }])
    expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }])
  })

  test('behavior: whoever waits while the pool closes still gets an answer', async () => {
    await using database = await freshDatabase('postgresql')
    await using opened = await single(database)
    const { pool, queue } = opened
    const held = await pool.connect()
    const next = pool.query('select 1 as one')
    await expect.poll(() => queue.waiting.size).toBe(1)
    const closed = opened.close()
    held.release()
    expect((await next).rows).toEqual([{ one: 1 }])
    await closed
  })
})

/** What the pool calls of a client. */
class FakeClient extends EventEmitter {
  readonly _queryable = true
  connect(done: () => void) {
    setImmediate(done)
  }
  end(done: () => void) {
    setImmediate(done)
  }
}

test('error: thousands who wait while the pool closes each get an error', async () => {
  const Client = FakeClient as unknown as new () => pg.Client
  const config = { max: 1, connectionTimeoutMillis: 5_000, Client }
  const pool = new FairPool(config, createArrivalQueue())
  const held = await pool.connect()
  const asked = Array.from({ length: 5_000 }, () => pool.connect().catch(() => 'error'))
  const ended = pool.end()
  held.release()
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['error']))
  await ended
})
