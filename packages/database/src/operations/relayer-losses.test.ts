import { randomAddress } from '@lanyard/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertOperation } from '../../test/insert-operation.ts'
import { freshDatabase } from '../testing/index.ts'
import { createEoaAccount } from '../users/create-eoa-account.ts'
import { debtColumns, listDebts, lostSince, recordLosses } from './relayer-losses.ts'

const now = new Date('2026-01-01T12:00:00Z')

test('behavior: a loss whose transaction a reorg has saved is owed by nobody; an underpaid one stays', async () => {
  await using database = await freshDatabase()
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
    const of = { sentBy: sql`'key:1'`, account: sql`'0xbb'`, isDelegated: sql`false`, since }
    const row = await db
      .selectNoFrom(debtColumns(sql`1`, of))
      .select(lostSince(sql`1`, since).as('lost'))
      .executeTakeFirstOrThrow()
    const { owed, caller_losses: count, lost } = row
    return { owed, count, lost, listed: (await listDebts(db)).map((debt) => debt.owed) }
  }
  expect(await read()).toEqual({ owed: 13n, count: 2, lost: 13n, listed: [13n] })
  await db.updateTable('relayer_transactions').set({ state: 'mined' }).execute()
  expect(await read()).toEqual({ owed: 3n, count: 1, lost: 3n, listed: [3n] })
})

test('behavior: an account answers for losses of its caller only if it came after them; whether it has paid is known', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const createAccount = async (seconds: number) => {
    const { account } = await createEoaAccount(db, {
      ...{ address: randomAddress(), eoaAddress: randomAddress(), deployment: {} },
      createdAt: new Date(now.getTime() + seconds * 1000),
    })
    return account.address
  }
  const [loser, older, newer, sponsored, paying] = [
    await createAccount(-9),
    await createAccount(-1),
    await createAccount(1),
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
    ...{ network: 1, state: 'included', user_op: JSON.stringify({ sender: paying }) },
    ...{ txn_hash: '0x04', block_number: 1, block_hash: '0x05', success: true },
  })
  await insertOperation(db, sponsored, {
    ...{ network: 1, state: 'included', user_op: JSON.stringify({ paymasterAndData: '0xaa' }) },
    ...{ txn_hash: '0x06', block_number: 1, block_hash: '0x05', success: true },
  })
  const since = new Date(now.getTime() - 1)
  const answersFor = async (account: string, sentBy = 'address:192.0.2.1', isDelegated = false) => {
    const of = {
      ...{ sentBy: sql.val(sentBy), account: sql.val(account), isDelegated: sql.lit(isDelegated), since },
    }
    const { caller_losses, has_paid } = await db
      .selectNoFrom(debtColumns(sql`1`, of))
      .executeTakeFirstOrThrow()
    return [caller_losses, has_paid]
  }
  expect(await answersFor(older)).toEqual([0, false])
  expect(await answersFor(newer)).toEqual([3, false])
  expect(await answersFor(sponsored)).toEqual([3, false])
  expect(await answersFor(paying)).toEqual([3, true])
  expect(await answersFor(randomAddress().toLowerCase())).toEqual([3, false])
  // A secret key answers for its accounts, so any operation that was included vouches for one.
  expect(await answersFor(sponsored, 'key:shop', true)).toEqual([0, true])
  expect(await answersFor(newer, 'key:shop', true)).toEqual([0, false])
  expect(await answersFor(sponsored, 'address:192.0.2.1', true)).toEqual([3, false])
})
