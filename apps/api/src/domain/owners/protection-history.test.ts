import { freshDatabase } from '@lanyard/database/testing'
import { randomAddress } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { readProtectionHistory } from './protection-history.ts'

const now = new Date('2026-11-26T12:00:00Z')

test('behavior: a recovery says where it does not hold, also where it ended otherwise, and why it waits', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const account = randomAddress()
  const key = account.toLowerCase()
  const named = { account: key, hash: '0x01' }
  await db
    .insertInto('recoveries')
    .values({
      ...{ ...named, sequence: 0n, number: 1n, new_owners: '0x', new_threshold: 1n, head: '0x' },
      ...{ sent_by: 'a', created_at: now, complete_at: now },
    })
    .execute()
  const step = (network: number, state: 'pending' | 'executed' | 'cancelled', more: object = {}) => ({
    ...{ ...named, kind: 'recovery' as const, network, state, next_attempt_at: now },
    ...{ reason: null, sent_at: null, head: null, executed_at: null, ...more },
  })
  await db
    .insertInto('message_progress')
    .values([
      step(1, 'executed', { executed_at: new Date(now.getTime() + 1) }),
      step(2, 'pending', { reason: 'BUDGET_SPENT' }),
      step(3, 'cancelled'),
    ])
    .execute()
  expect(await readProtectionHistory(db, account, [1, 2, 3])).toMatchObject([
    { act: 'recovery-executed', networks: [1], waiting: [2, 3], reasons: { 2: 'BUDGET_SPENT' } },
    { act: 'recovery-started', networks: [1], waiting: [2], reasons: { 2: 'BUDGET_SPENT' } },
  ])
})
