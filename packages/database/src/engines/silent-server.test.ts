// @promise 5
import { type PostgresProxy, startPostgresProxy } from '@lanyard/testing/fault-proxy'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { describe, expect, test } from 'vitest'
import { insertUser } from '../../test/insert-user.ts'
import { isUnavailable } from '../errors.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { openDatabase } from '../open-database.ts'
import type { OpenDatabase } from '../opened-database.ts'
import { freshDatabase, testEngines } from '../testing/index.ts'

/** Milliseconds: long for a statement, short for a test. */
const answerTimeout = 1_500

interface Proxied extends AsyncDisposable {
  readonly proxy: PostgresProxy
  /** Connected through the proxy. */
  readonly database: OpenDatabase
}

async function openProxied(maxConnections: number): Promise<Proxied> {
  await using started = new AsyncDisposableStack()
  const { url = '' } = started.use(await freshDatabase('postgresql'))
  const proxy = started.use(await startPostgresProxy(url))
  const database = started.use(await openDatabase({ url: proxy.databaseUrl, maxConnections, answerTimeout }))
  const running = started.move()
  return { proxy, database, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/**
 * Connections stay open without a response, as with a firewall that dropped them or a host that lost power.
 */
describe.skipIf(!testEngines().includes('postgresql'))(
  'openDatabase with a PostgreSQL that stops answering',
  () => {
    test('behavior: a connection without an answer is not reused', async () => {
      await using proxied = await openProxied(2)
      const { database, proxy } = proxied
      await Promise.all([database.ping(), database.ping()])
      await proxy.set({ kind: 'black-hole', forever: true })
      const unanswered = await Promise.allSettled([database.ping(), database.ping()])
      expect(
        unanswered.map((result) => result.status === 'rejected' && isUnavailable(result.reason)),
      ).toEqual([true, true])
      await proxy.set({ kind: 'pass' })
      expect(await Promise.allSettled([database.ping(), database.ping()])).toEqual([
        { status: 'fulfilled', value: undefined },
        { status: 'fulfilled', value: undefined },
      ])
    })

    test('behavior: a late answer is discarded', async () => {
      await using proxied = await openProxied(1)
      const { database, proxy } = proxied
      const ask = async (number: number) =>
        (await sql<{ number: number }>`select ${number}::int4 as number`.execute(database.db)).rows[0]?.number
      expect(await ask(1)).toBe(1)
      await proxy.set({ kind: 'black-hole' })
      expect(await ask(2).catch(isUnavailable)).toBe(true)
      await proxy.set({ kind: 'pass' })
      expect(await ask(3)).toBe(3)
      expect(proxy.accepted).toBe(2)
    })

    test('behavior: a transaction fails once, not again at its rollback, and writes nothing', async () => {
      await using proxied = await openProxied(1)
      const { database, proxy } = proxied
      const transaction = database.db.transaction().execute(async (trx) => {
        await insertUser(trx, 'ann')
        await proxy.set({ kind: 'black-hole', forever: true })
        await insertUser(trx, 'ben')
      })
      expect(await transaction.catch(isUnavailable)).toBe(true)
      expect(database.pool?.totalCount).toBe(0)
      await proxy.set({ kind: 'pass' })
      expect(await database.db.selectFrom('users').select('username').execute()).toEqual([])
    })

    test('behavior: a migration may take longer than a request', async () => {
      await using proxied = await openProxied(1)
      const slow: Migration = { up: async (db) => void (await sql`select pg_sleep(2)`.execute(db)) }
      const applied = await migrate(proxied.database.db, { ...migrations, '9999-slow': slow })
      expect(applied).toEqual(['9999-slow'])
    })
  },
)
