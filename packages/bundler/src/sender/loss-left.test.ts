import { freshDatabase } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { sumOwnCosts } from './loss-left.ts'

const account = '0x00000000000000000000000000000000000000aB'
const hour = 3_600_000
const now = new Date('2026-01-01T12:00:00Z')

test('default: of transactions with the same nonce the dearest counts, for an hour, for one sender', async () => {
  await using database = await freshDatabase()
  const row = (nonce: number, loss: bigint, age = 0, relayer: string = account) => ({
    ...{
      txn_hash: `0x${nonce}${loss}${age}${relayer}`,
      network: 1,
      relayer: relayer.toLowerCase(),
      nonce,
      loss,
    },
    ...{
      raw: '0x',
      gas_limit: 21_000n,
      max_fee_per_gas: 1n,
      max_priority_fee_per_gas: 1n,
      state: 'lost' as const,
    },
    ...{ block_number: null, block_hash: null, sent_at: null, created_at: new Date(now.getTime() - age) },
  })
  await database.db
    .insertInto('relayer_transactions')
    .values([
      row(1, 10n),
      row(1, 30n),
      row(1, 20n),
      row(2, 100n, hour - 1),
      row(3, 1_000n, hour),
      row(4, 10_000n, 0, `0x${'11'.repeat(20)}`),
    ])
    .execute()
  const sum = (except?: number) =>
    sumOwnCosts(database.db, { network: 1, account, now, ...(except !== undefined && { except }) })
  expect(await sum()).toBe(130n)
  // Once mined, it counts with its cost. What was paid for its contents is not its own.
  const settle = (nonce: number, spent: bigint, earned: bigint | null) =>
    database.db
      .updateTable('relayer_transactions')
      .set({ state: 'mined', spent, earned })
      .where('nonce', '=', nonce)
      .where('loss', 'in', [20n, 100n])
      .execute()
  await settle(1, 7n, null)
  await settle(2, 100n, 60n)
  expect(await sum()).toBe(47n)
  await settle(2, 40n, 60n)
  expect(await sum()).toBe(7n)
  await settle(2, 5_000n, 0n)
  expect(await sum()).toBe(107n)
  await settle(1, 1_000n, 0n)
  expect(await sum(1)).toBe(100n)
  expect(await sumOwnCosts(database.db, { network: 1, account, now, hours: 2 })).toBe(1_120n)
})
