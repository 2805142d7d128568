import { freshDatabase } from '@lanyard/database/testing'
import { randomAddress } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { findDueAccounts } from '../messages/message-progress.ts'
import { keepSignedChange, listSignedChanges, payForChange } from './signed-change.ts'

const now = new Date('2026-11-26T12:00:00Z')

test('payForChange: another caller pays, and the change is due where the budget was spent', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const account = randomAddress()
  const change = { sequence: 0n, kind: '0x', data: '0x', signature: '0x', hash: '0x', sentBy: 'a b' } as const
  await keepSignedChange(db, account, change, { networks: [1, 2], now })
  const postpone = (network: number, reason: string) =>
    db
      .updateTable('message_progress')
      .set({ reason, next_attempt_at: new Date(now.getTime() + 1) })
      .where('network', '=', network)
      .execute()
  await postpone(1, 'BUDGET_SPENT')
  await postpone(2, 'NOT_ENABLED')
  const due = () => Promise.all([1, 2].map((network) => findDueAccounts(db, network, { now, limit: 1 })))
  expect(await due()).toEqual([[], []])
  await payForChange(db, account, { sequence: 0n, sentBy: 'shop', now })
  expect(await due()).toEqual([[account.toLowerCase()], []])
  expect(await listSignedChanges(db, account)).toMatchObject([{ sentBy: 'shop' }])
  // The same caller again makes nothing due.
  await postpone(1, 'BUDGET_SPENT')
  await payForChange(db, account, { sequence: 0n, sentBy: 'shop', now })
  expect(await due()).toEqual([[], []])
})
