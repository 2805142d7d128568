/** @module-tag all */
import { randomUUID } from 'node:crypto'
import { createEoaAccount } from '@lanyard/database'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { reportFigure } from '@lanyard/testing'
import { sql } from 'kysely'
import { toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueChallenge } from '../../src/domain/accounts/passkeys/challenges.ts'

const rows = 800

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase('pglite')
})
afterAll(() => database?.[Symbol.asyncDispose]())

/** Bytes that a row adds to these tables and their indexes. */
async function bytesPerRow(tables: readonly string[], insert: () => Promise<void>): Promise<number> {
  const before = await bytesOf(tables)
  await insert()
  return ((await bytesOf(tables)) - before) / rows
}

async function bytesOf(tables: readonly string[]): Promise<number> {
  const names = sql.join(tables.map((table) => sql`${table}::regclass`))
  const { rows: sizes } = await sql<{ size: number }>`
    select sum(pg_total_relation_size(name))::float8 as size from unnest(array[${names}]) as name`.execute(
    database.db,
  )
  return sizes[0]?.size ?? Number.NaN
}

/** docs/operations.md lists what a third party can make grow, with these figures. */
test('behavior: a new account takes at most what is charged for it', async () => {
  const bytes = await bytesPerRow(['users', 'accounts'], async () => {
    for (let index = 1; index <= rows; index++) {
      const address = toHex(index, { size: 20 })
      const deployment = { version: 'safe-1.4.1', singleton: address, proxyFactory: address, module: address }
      await createEoaAccount(database.db, { address, eoaAddress: address, deployment, createdAt: new Date() })
    }
  })
  reportFigure(25, 'bytes of an account', Math.round(bytes))
  expect(bytes).toBeLessThan(2_304)
})

test('behavior: a challenge is small', async () => {
  const bytes = await bytesPerRow(['challenges'], async () => {
    for (let index = 0; index < rows; index++)
      await issueChallenge(database.db, {
        ceremony: 'register',
        subject: randomUUID(),
        userId: null,
        now: new Date(),
      })
  })
  reportFigure(25, 'bytes of a challenge', Math.round(bytes))
  expect(bytes).toBeLessThan(512)
})
