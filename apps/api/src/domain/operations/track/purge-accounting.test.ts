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
  const budget = (text: string, promises = 0) => ({
    network: 1,
    budget: 'account',
    day: text,
    taken: 1n,
    settled: 1n,
    operations: 1,
    promises,
  })
  const days = [ago(91), ago(89), now].map((date) => date.toISOString().slice(0, 10))
  await db
    .insertInto('sponsorship_days')
    .values([
      ...[...days, 'total'].map((text) => budget(text)),
      { ...budget('2029-01-01', 1), budget: 'promised' },
    ])
    .execute()
  const suspension = (subject: string, days: number) => ({
    ...{ network: 1, subject, reason: 'It was sent by others.', user_op_hash: '0x01' },
    ...{ since: ago(days + 1), until: ago(days) },
  })
  await db
    .insertInto('sponsorship_suspensions')
    .values([suspension('old', 31), suspension('ended', 29), suspension('current', -1)])
    .execute()

  expect(await purgeAccounting(db, now)).toBe(4)
  const kept = await db.selectFrom('relayer_transactions').select('txn_hash').where('raw', '<>', '').execute()
  expect(kept.map(({ txn_hash }) => txn_hash).sort()).toEqual(['live', 'recent'])
  const left = await db.selectFrom('sponsorship_days').select('day').orderBy('day').execute()
  expect(left.map(({ day }) => day)).toEqual(['2029-01-01', ...days.slice(1), 'total'])
  const suspended = await db.selectFrom('sponsorship_suspensions').select('subject').execute()
  expect(suspended.map(({ subject }) => subject).sort()).toEqual(['current', 'ended'])
  expect(await purgeAccounting(db, now)).toBe(0)
})
