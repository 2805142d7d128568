import { freshDatabase } from '@lanyard/database/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { purge } from './purge-worker.ts'

test('behavior: a step that fails is logged, and stops no other', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const now = new Date('2026-06-01T00:00:00Z')
  await db
    .insertInto('imported_accounts')
    .values({
      ...{ eoa_address: `0x${'a'.repeat(40)}`, account_kind: 'safe', external_id: null, user_id: null },
      ...{ imported_at: new Date('2026-01-01'), expires_at: new Date('2026-04-01'), claimed_at: null },
    })
    .execute()
  // The first step cannot run.
  await sql`alter table operations rename to away`.execute(db)
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  let archived = 0
  await purge({ database: db, now: () => now, log }, async () => ++archived)
  expect(await db.selectFrom('imported_accounts').selectAll().execute()).toEqual([])
  expect(archived).toBe(1)
  const failed = lines.filter(({ msg }) => msg === 'a step of the purge failed; it will be retried')
  expect(failed.map(({ step }) => step)).toContain('deleted orders and builds that nobody signed')
  expect(lines.map(({ msg }) => msg)).toContain('deleted imported names that no EOA claimed in time')
})
