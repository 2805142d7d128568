/** @module-tag all */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../log.ts'
import { openDatabase } from '../open-database.ts'
import {
  freshDatabase,
  hasPgbouncer,
  startPgbouncer,
  type TestDatabase,
  testEngines,
} from '../testing/index.ts'

const isPossible = hasPgbouncer && testEngines().includes('postgresql')
if (!isPossible) console.log('skipped: PostgreSQL behind PgBouncer needs both programs')

describe.skipIf(!isPossible)('PostgreSQL behind PgBouncer', () => {
  const stack = new AsyncDisposableStack()
  let database: TestDatabase
  let url: string
  beforeAll(async () => {
    database = stack.use(await freshDatabase('postgresql'))
    url = stack.use(await startPgbouncer(database.url ?? '')).url
  })
  afterAll(() => stack.disposeAsync())

  /** What a process logs that opens the database. */
  async function readWarnings(): Promise<readonly string[]> {
    const warnings: string[] = []
    await using _ = await openDatabase({
      url,
      log: { ...silentLog, warn: (_, message) => void warnings.push(message) },
    })
    return warnings
  }

  test('behavior: opens although it rejects time-outs, and says that the role needs one', async () => {
    expect(await readWarnings()).toEqual([expect.stringContaining('set statement_timeout for its role')])
    await using other = await freshDatabase('postgresql')
    const name = new URL(other.url ?? '').pathname.slice(1)
    await sql`alter database ${sql.id(name)} set statement_timeout = '10s'`.execute(other.db)
    await using pooler = await startPgbouncer(other.url ?? '')
    const warnings: string[] = []
    await using _ = await openDatabase({
      url: pooler.url,
      log: { ...silentLog, warn: (_, message) => void warnings.push(message) },
    })
    expect(warnings).toEqual([])
  })

  test('behavior: statements work on whichever connection they reach, those with a name as well', async () => {
    await using one = await openDatabase({ url })
    await using other = await openDatabase({ url })
    const count = (from: number) =>
      Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const { pool, db } = index % 2 === 0 ? one : other
          const named = await pool?.query({
            name: 'rlflx:get',
            text: 'select $1::int4 as value',
            values: [from],
          })
          const { rows } = await sql<{ value: number }>`select ${from}::int4 as value`.execute(db)
          return [named?.rows[0].value, rows[0]?.value]
        }),
      )
    for (let from = 0; from < 5; from++) expect(await count(from)).toEqual(Array(20).fill([from, from]))
    expect((await sql`select from pg_prepared_statements`.execute(database.db)).rows).toEqual([])
    const { rows } = await sql`select current_setting('plan_cache_mode') as mode`.execute(one.db)
    expect(rows).toEqual([{ mode: 'auto' }])
  })

  test('behavior: a direct connection keeps its statements', async () => {
    await using direct = await openDatabase({ ...(database.url && { url: database.url }), maxConnections: 1 })
    for (let turn = 0; turn < 3; turn++) await sql`select 42 as answer`.execute(direct.db)
    const { rows } = await sql`
      select from pg_prepared_statements where statement like '%42 as answer%'`.execute(direct.db)
    expect(rows).toHaveLength(1)
  })
})
