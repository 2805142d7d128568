import { freshDatabase } from '@lanyard/database/testing'
import { randomAddress } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { forgetCallers } from './forget-callers.ts'

const now = new Date('2026-11-26T12:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)

test('default: after 30 days, no row tells from which network of addresses it came', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const key = { kind: '0x', data: '0x', signature: '0x', hash: '0x', head: '0x', number: 1n } as const
  const none = { new_owners: null, new_threshold: null, result: null, complete_at: null }
  const rows = [
    { sent_by: 'anonymous abc', created_at: ago(31) },
    { sent_by: 'public:web abc', created_at: ago(29) },
    { sent_by: 'shop', created_at: ago(31) },
  ].map((row) => ({ ...row, account: randomAddress().toLowerCase(), sequence: 0n }))
  for (const row of rows) {
    const { kind, data, signature, hash, head, number } = key
    await db
      .insertInto('owner_changes')
      .values({ ...row, kind, data, signature, hash })
      .execute()
    await db
      .insertInto('recoveries')
      .values({ ...row, ...none, hash, head, number })
      .execute()
  }
  expect(await forgetCallers(db, now)).toBe(2)
  expect(await forgetCallers(db, now)).toBe(0)
  for (const table of ['owner_changes', 'recoveries'] as const) {
    const left = await db.selectFrom(table).select('sent_by').orderBy('sent_by').execute()
    expect(left.map(({ sent_by }) => sent_by)).toEqual(['anonymous', 'public:web abc', 'shop'])
  }
})
