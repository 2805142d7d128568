// @promise 25
import { createEoaAccount, type OperationRow, type OrderRow } from '@lanyard/database'
import { describeEachEngine, freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { type Hex, keccak256, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { account, operationRow, orderRow } from '../../../../test/rows.ts'
import { operationFeatures } from '../../../app/operation-features.ts'
import { purgeAccounting, purgeUnsigned } from './purge.ts'

const minute = 60_000
const now = new Date(Date.UTC(2026, 0, 10))
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
const hoursAgo = (hours: number) => ago(hours * 60 * minute)

const expired = (changed: Partial<OperationRow> = {}): Partial<OperationRow> => ({
  build_expires_at: ago(11 * minute),
  ...changed,
})

/** Writes an account's operations under the given names. */
async function writeBuilds({ db }: TestDatabase, builds: Readonly<Record<string, Partial<OperationRow>>>) {
  await createEoaAccount(db, { address: account, eoaAddress: account, deployment: {}, createdAt: now })
  const rows = Object.entries(builds).map(([name, changed], index) => ({
    ...operationRow({ user_op_hash: name, nonce_sequence: BigInt(index) }),
    user_op: '{}',
    ...changed,
  }))
  await db.insertInto('operations').values(rows).execute()
}

async function remaining({ db }: TestDatabase): Promise<readonly string[]> {
  const rows = await db.selectFrom('operations').select('user_op_hash').orderBy('user_op_hash').execute()
  return rows.map(({ user_op_hash }) => user_op_hash)
}

describeEachEngine('purgeUnsigned', (engine) => {
  test('default: unsigned builds are deleted ten minutes after they expired', async () => {
    await using database = await freshDatabase(engine)
    await writeBuilds(database, {
      ended: expired(),
      'ended just now': expired({ build_expires_at: ago(9 * minute) }),
      signed: expired({ state: 'submitted', signature: '0x51' }),
      'signed and dropped': expired({ state: 'dropped', final: true, signature: '0x51' }),
      'signed, refused here and included elsewhere': expired({
        ...{ state: 'included', final: true, signed_at: hoursAgo(48), success: true },
        ...{ txn_hash: '0x01', block_number: 1, block_hash: '0x02' },
      }),
      'signed, refused here and perhaps elsewhere': expired({ signed_at: hoursAgo(1) }),
      waiting: { build_expires_at: ago(-minute) },
    })
    expect(await purgeUnsigned(database.db, operationFeatures, now)).toBe(1)
    expect(await remaining(database)).toEqual([
      'ended just now',
      'signed',
      'signed and dropped',
      'signed, refused here and included elsewhere',
      'signed, refused here and perhaps elsewhere',
      'waiting',
    ])
    expect(await purgeUnsigned(database.db, operationFeatures, now)).toBe(0)
  })

  test('behavior: a build that another row refers to stays', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    await writeBuilds(database, {
      'of an order': expired(),
      'that an order was submitted with': expired(),
      sponsored: expired(),
      'in a bundle': expired(),
      'of nothing': expired(),
    })
    const order = orderRow({ account, user_op_hash: 'that an order was submitted with' })
    await db.insertInto('orders').values(order).execute()
    await db
      .insertInto('order_operations')
      .values({
        order_hash: '0x01',
        order_id: order.order_id,
        user_op_hash: 'of an order',
        paymaster_and_data: '0x',
        valid_until: 1,
        created_at: now,
      })
      .execute()
    await db
      .insertInto('sponsorships')
      .values({
        user_op_hash: 'sponsored',
        kind: 'sponsored',
        caller: 'tests',
        network: 31337,
        account,
        day: '2026-01-09',
        reserved: 1n,
        charged: null,
        valid_until: 1,
        built_at_block: 1,
        created_at: now,
      })
      .execute()
    await db
      .insertInto('relayer_transactions')
      .values({
        txn_hash: '0x01',
        network: 31337,
        relayer: account,
        nonce: 0,
        raw: '0x',
        gas_limit: 1n,
        max_fee_per_gas: 1n,
        max_priority_fee_per_gas: 1n,
        state: 'lost',
        block_number: null,
        block_hash: null,
        created_at: now,
        sent_at: null,
      })
      .execute()
    await db
      .insertInto('relayer_transaction_operations')
      .values({ txn_hash: '0x01', position: 0, user_op_hash: 'in a bundle' })
      .execute()
    expect(await purgeUnsigned(db, operationFeatures, now)).toBe(1)
    expect(await remaining(database)).not.toContain('of nothing')

    // A final block shows that the sponsored operation was never included.
    await db.updateTable('sponsorships').set({ charged: 0n }).execute()
    expect(await purgeUnsigned(db, operationFeatures, now)).toBe(1)
    expect(await remaining(database)).not.toContain('sponsored')
  })

  test('behavior: one pass deletes any number of builds, including chains of replacements', async () => {
    await using database = await freshDatabase(engine)
    const names = Array.from({ length: 1_000 }, (_, index) => keccak256(numberToHex(index)))
    const builds = names.map((name, index): [string, Partial<OperationRow>] => [
      name,
      expired({ replaces: names[index - 1] ?? null }),
    ])
    await writeBuilds(database, {
      ...Object.fromEntries(builds),
      signed: { state: 'submitted', signature: '0x51', replaces: names[0] ?? null },
    })
    expect(await purgeUnsigned(database.db, operationFeatures, now)).toBe(1_000)
    const rest = await database.db.selectFrom('operations').select(['user_op_hash', 'replaces']).execute()
    expect(rest).toEqual([{ user_op_hash: 'signed', replaces: null }])
  })

  test('behavior: unsubmitted orders are deleted with their rows a day after they ended', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    await writeBuilds(database, { 'of an order': expired(), 'of the order that was submitted': expired() })
    let orders = 0
    const write = async (changed: Partial<OrderRow>) => {
      const order_id = numberToHex(++orders, { size: 32 })
      const order = orderRow({ account, order_id, withdrawal_digest: order_id, ...changed })
      await db.insertInto('orders').values(order).execute()
      const debit = { order_id, network: 31338, amount: 1n, fail_fee: 1n, state: 'RELEASED' } as const
      await db.insertInto('order_debits').values(debit).execute()
      return order_id
    }
    const sign = (order_id: string, user_op_hash: string) =>
      db
        .insertInto('order_operations')
        .values({
          order_hash: keccak256(order_id as Hex),
          order_id,
          user_op_hash,
          paymaster_and_data: '0x',
          valid_until: 1,
          created_at: now,
        })
        .execute()
    const over = { withdrawal_state: 'lapsed' } as const
    const closed = { ...over, state: 'EXPIRED', closed_at: hoursAgo(24) } as const
    await write({ ...over, expires_at: hoursAgo(24) }) // no process has closed it
    await sign(await write(closed), 'of an order')
    const kept = [
      await write({ ...closed, closed_at: hoursAgo(23) }),
      await write({ ...closed, withdrawal_state: 'open' }), // its co-signature is still valid
      await write({ ...closed, withdrawal_state: 'used' }),
      await write({ ...over, expires_at: hoursAgo(23) }),
      await write({ ...over, state: 'FAILED', user_op_hash: 'of the order that was submitted' }),
    ]
    const signed = await write({ ...over, expires_at: hoursAgo(48) })
    await sign(signed, 'of the order that was submitted') // no final block shows yet that it ended

    expect(await purgeUnsigned(db, operationFeatures, now)).toBe(3) // two orders, and the build of one of them
    for (const table of ['orders', 'order_debits'] as const) {
      const rows = await db.selectFrom(table).select('order_id').orderBy('order_id').execute()
      expect(rows.map(({ order_id }) => order_id)).toEqual([...kept, signed])
    }
    expect(await remaining(database)).toEqual(['of the order that was submitted'])
  })
})

describe('purgeAccounting', () => {
  const day = 24 * 60 * 60_000
  const now = new Date('2030-06-15T12:00:00Z')
  const ago = (days: number) => new Date(now.getTime() - days * day)

  test('default: old bytes and past days are purged; what may be sent again and totals stay', async () => {
    await using database = await freshDatabase()
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
    const kept = await db
      .selectFrom('relayer_transactions')
      .select('txn_hash')
      .where('raw', '<>', '')
      .execute()
    expect(kept.map(({ txn_hash }) => txn_hash).sort()).toEqual(['live', 'recent'])
    const left = await db.selectFrom('sponsorship_days').select('day').orderBy('day').execute()
    expect(left.map(({ day }) => day)).toEqual(['2029-01-01', ...days.slice(1), 'total'])
    const suspended = await db.selectFrom('sponsorship_suspensions').select('subject').execute()
    expect(suspended.map(({ subject }) => subject).sort()).toEqual(['current', 'ended'])
    expect(await purgeAccounting(db, now)).toBe(0)
  })
})
