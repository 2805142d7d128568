import { freshDatabase } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { purgeAccounting } from './purge-accounting.ts'

const day = 24 * 60 * 60_000
const now = new Date('2030-06-15T12:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * day)

test('default: old bytes and past days are purged; what may be sent again and totals stay', async () => {
  await using database = await freshDatabase('pglite')
  const { db } = database
  const transaction = (txn_hash: string, state: 'live' | 'mined' | 'lost', days: number) => ({
    ...{ txn_hash, state, network: 1, relayer: '0x01', nonce: 0, raw: '0x02', gas_limit: 1n },
    ...{ max_fee_per_gas: 1n, max_priority_fee_per_gas: 1n, created_at: ago(days), sent_at: null },
  })
  await db
    .insertInto('relayer_transactions')
    .values([
      transaction('live', 'live', 30),
      transaction('mined', 'mined', 8),
      transaction('lost', 'lost', 8),
      transaction('recent', 'mined', 6),
    ])
    .execute()
  const budget = (text: string) => ({
    network: 1,
    budget: 'account',
    day: text,
    taken: 1n,
    settled: 1n,
    operations: 1,
  })
  const days = [ago(91), ago(89), now].map((date) => date.toISOString().slice(0, 10))
  await db
    .insertInto('sponsorship_days')
    .values([...days, 'total'].map(budget))
    .execute()

  expect(await purgeAccounting(db, now)).toBe(3)
  const kept = await db.selectFrom('relayer_transactions').select('txn_hash').where('raw', '<>', '').execute()
  expect(kept.map(({ txn_hash }) => txn_hash).sort()).toEqual(['live', 'recent'])
  const left = await db.selectFrom('sponsorship_days').select('day').orderBy('day').execute()
  expect(left.map(({ day }) => day)).toEqual([...days.slice(1), 'total'])
  expect(await purgeAccounting(db, now)).toBe(0)
})
