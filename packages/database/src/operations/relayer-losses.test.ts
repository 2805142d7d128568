import { randomAddress } from '@lanyard/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertOperation } from '../../test/insert-operation.ts'
import { freshDatabase } from '../testing/index.ts'
import { createEoaAccount } from '../users/create-eoa-account.ts'
import { listDebts, lostSince, owedBy, owedLossesOf, recordLosses } from './relayer-losses.ts'

const now = new Date('2026-01-01T12:00:00Z')

test('behavior: a loss whose transaction a reorg has saved is owed by nobody; an underpaid one stays', async () => {
  await using database = await freshDatabase('pglite')
  const { db } = database
  await db
    .insertInto('relayer_transactions')
    .values({
      ...{ txn_hash: '0x01', network: 1, relayer: '0xaa', nonce: 1, raw: '0x', gas_limit: 1n, loss: 0n },
      ...{ max_fee_per_gas: 1n, max_priority_fee_per_gas: 1n, state: 'lost', sent_at: null, created_at: now },
      ...{ block_number: null, block_hash: null },
    })
    .execute()
  const loss = { txn_hash: '0x01', network: 1, account: '0xbb', sent_by: 'key:1', lost_at: now }
  await db.transaction().execute((trx) =>
    recordLosses(trx, [
      { ...loss, user_op_hash: '0x02', reason: 'reverted', wei: 10n, owed: 10n },
      { ...loss, user_op_hash: '0x03', reason: 'underpaid', wei: 3n, owed: 3n },
    ]),
  )
  const read = async () => {
    const since = new Date(now.getTime() - 1)
    const { rows } = await sql<{ owed: bigint; count: number; lost: bigint }>`select
      ${owedBy(sql`1`, sql`'0xbb'`)} as owed, ${owedLossesOf(sql`1`, { sentBy: sql`'key:1'`, account: sql`'0xcc'`, since })} as count,
      ${lostSince(sql`1`, since)} as lost`.execute(db)
    return { ...rows[0], listed: (await listDebts(db)).map(({ owed }) => owed) }
  }
  expect(await read()).toEqual({ owed: 13n, count: 2, lost: 13n, listed: [13n] })
  await db.updateTable('relayer_transactions').set({ state: 'mined' }).execute()
  expect(await read()).toEqual({ owed: 3n, count: 1, lost: 3n, listed: [3n] })
})

test('behavior: an account answers for losses of its caller only if it came after them, and has paid for nothing', async () => {
  await using database = await freshDatabase('pglite')
  const { db } = database
  const createAccount = async (seconds: number) => {
    const { account } = await createEoaAccount(db, {
      ...{ address: randomAddress(), eoaAddress: randomAddress(), deployment: {} },
      createdAt: new Date(now.getTime() + seconds * 1000),
    })
    return account.address
  }
  const [loser, older, newer, paying] = [
    await createAccount(-9),
    await createAccount(-1),
    await createAccount(1),
    await createAccount(1),
  ]
  const loss = { network: 1, account: loser, sent_by: 'address:192.0.2.1', lost_at: now, wei: 1n, owed: 1n }
  await db.transaction().execute((trx) =>
    recordLosses(
      trx,
      ['0x01', '0x02', '0x03'].map((hash) => ({
        ...{ ...loss, txn_hash: hash, user_op_hash: hash, reason: 'underpaid' as const },
      })),
    ),
  )
  await insertOperation(db, paying, {
    ...{ network: 1, state: 'included', user_op: JSON.stringify({ paymasterAndData: '0x' }) },
    ...{ txn_hash: '0x04', block_number: 1, block_hash: '0x05', success: true },
  })
  const since = new Date(now.getTime() - 1)
  const answersFor = async (account: string) => {
    const of = { sentBy: sql`'address:192.0.2.1'`, account: sql.val(account), since }
    const { rows } = await sql<{ count: number }>`select ${owedLossesOf(sql`1`, of)} as count`.execute(db)
    return rows[0]?.count
  }
  expect(await answersFor(older)).toBe(0)
  expect(await answersFor(newer)).toBe(3)
  expect(await answersFor(paying)).toBe(0)
  expect(await answersFor(randomAddress().toLowerCase())).toBe(3)
})
