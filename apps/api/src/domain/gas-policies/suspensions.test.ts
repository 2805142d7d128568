// @promise 24 C.6
import { createEoaAccount } from '@lanyard/database'
import { describeEachEngine, freshDatabase } from '@lanyard/database/testing'
import { randomAddress } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { operationRow } from '../../../test/rows.ts'
import { requireNotSuspended, suspend } from './suspensions.ts'

const now = new Date('2026-01-01T12:00:00Z')
const minute = 60_000
const builder = 'an-office-behind-one-address'

describeEachEngine('a suspension', (engine) => {
  test('behavior: it holds for a day for its account, for an hour for new accounts of its caller, and for no others', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const createAccount = async (minutes: number) => {
      const { account } = await createEoaAccount(db, {
        ...{ address: randomAddress(), eoaAddress: randomAddress(), deployment: {} },
        createdAt: new Date(now.getTime() + minutes * minute),
      })
      return account.address
    }
    const [guilty, colleague, newcomer] = [
      await createAccount(-5),
      await createAccount(-1),
      await createAccount(1),
    ]
    const payer = await createAccount(1)
    const hash = { txn_hash: '0x02', block_hash: '0x03', block_number: 1, success: true }
    const included = { ...hash, network: 1, account: payer, state: 'included', signature: '0x' } as const
    await db
      .insertInto('operations')
      .values({ ...operationRow(included), user_op: JSON.stringify({ sender: payer }) })
      .execute()
    const suspendAt = (minutes: number) =>
      db.transaction().execute((transaction) =>
        suspend(
          transaction,
          { network: 1, account: guilty, builder },
          {
            verdict: 'foreign',
            reason: 'A test.',
            userOpHash: '0x01',
            now: new Date(now.getTime() + minutes * minute),
          },
        ),
      )
    const isSuspended = (account: string, minutes: number, by = builder, network = 1) =>
      requireNotSuspended(
        db,
        { network, account, builder: by },
        new Date(now.getTime() + minutes * minute),
      ).then(
        () => false,
        ({ code }) => code === 'SPONSORSHIP_SUSPENDED',
      )
    await suspendAt(0)
    expect(await isSuspended(guilty, 23 * 60)).toBe(true)
    expect(await isSuspended(guilty, 23 * 60, 'another address')).toBe(true)
    expect(await isSuspended(guilty, 25 * 60)).toBe(false)
    expect(await isSuspended(colleague, 2)).toBe(false)
    expect(await isSuspended(newcomer, 59)).toBe(true)
    expect(await isSuspended(newcomer, 61)).toBe(false)
    expect(await isSuspended(payer, 2)).toBe(false)
    expect(await isSuspended(newcomer, 2, 'another address')).toBe(false)
    expect(await isSuspended(newcomer, 2, builder, 2)).toBe(false)
    expect(await isSuspended(randomAddress(), 2)).toBe(true)
    // Another loss within the hour: the newcomer stays new.
    await suspendAt(50)
    expect(await isSuspended(newcomer, 100)).toBe(true)
    expect(await isSuspended(colleague, 100)).toBe(false)
    // Long after, the newcomer is older than the loss.
    await suspendAt(500)
    expect(await isSuspended(newcomer, 501)).toBe(false)
  })
})
