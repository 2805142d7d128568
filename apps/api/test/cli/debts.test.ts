/** @module-tag all */
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { randomAddress } from '@lanyard/testing'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextOf } from './cli-context.ts'
import { runInProcess } from './run-in-process.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.[Symbol.asyncDispose]())

test('default: debts list and forgive', async () => {
  const account = randomAddress().toLowerCase()
  const lost_at = new Date()
  await database.db
    .insertInto('relayer_losses')
    .values(
      ['0x01', '0x02'].map((txn_hash) => ({
        ...{ txn_hash, user_op_hash: '0x03', network: 8453, account, sent_by: null, lost_at },
        ...{ reason: 'reverted' as const, wei: 12n, owed: 10n, repaid_by: null },
      })),
    )
    .execute()
  const context = contextOf(database, {})
  const listed = await runInProcess(context, 'debts', 'list')
  expect(listed.stdout).toBe(`${account}  network 8453  owes 20  losses 2  since ${lost_at.toISOString()}\n`)
  const { json } = await runInProcess(context, 'debts', 'list', '--json')
  expect(json()).toMatchObject({ debts: [{ network: 8453, account, owed: '20', losses: 2 }] })

  const forgive = (network: string) =>
    runInProcess(context, 'debts', 'forgive', '--network', network, '--account', getAddress(account))
  const elsewhere = await forgive('1')
  expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('owes nothing')])
  expect((await forgive('8453')).code).toBe(0)
  expect((await runInProcess(context, 'debts', 'list')).stdout).toBe('Nobody owes anything.\n')
  expect((await forgive('8453')).code).toBe(1)
})
