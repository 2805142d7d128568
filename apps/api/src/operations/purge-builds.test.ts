import { createEoaAccount, type OperationRow } from '@lanyard/database'
import { describeEachEngine, freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { keccak256, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { account, operationRow, orderRow } from '../../test/rows.ts'
import { mostPerAccount, purgeBuilds } from './purge-builds.ts'

const hour = 60 * 60_000
const now = new Date(Date.UTC(2026, 0, 10))
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * hour)

const expired = (changed: Partial<OperationRow> = {}): Partial<OperationRow> => ({
  state: 'expired',
  final: true,
  build_expires_at: hoursAgo(25),
  ...changed,
})

/** Writes operations of one account under the names given, and answers which of them are left after a purge. */
async function writeBuilds({ db }: TestDatabase, builds: Readonly<Record<string, Partial<OperationRow>>>) {
  await createEoaAccount(db, { address: account, eoaAddress: account, deployment: {}, createdAt: now })
  const rows = Object.entries(builds).map(([name, changed], index) => ({
    ...operationRow({ user_op_hash: name, nonce_sequence: BigInt(index) }),
    user_op: '{}',
    ...changed,
  }))
  await db.insertInto('operations').values(rows).execute()
}

async function left({ db }: TestDatabase): Promise<readonly string[]> {
  const rows = await db.selectFrom('operations').select('user_op_hash').orderBy('user_op_hash').execute()
  return rows.map(({ user_op_hash }) => user_op_hash)
}

describeEachEngine('purgeBuilds', { repeatOn: 'postgresql' }, (engine) => {
  test('default: what nobody signed, a day after it expired', async () => {
    await using database = await freshDatabase(engine)
    await writeBuilds(database, {
      expired: expired(),
      superseded: expired({ state: 'dropped' }),
      'never looked at again': expired({ state: 'built', final: false }),
      'of today': expired({ build_expires_at: hoursAgo(23) }),
      signed: expired({ state: 'submitted', final: false, signature: '0x51' }),
      'signed and dropped': expired({ state: 'dropped', signature: '0x51' }),
      waiting: { build_expires_at: hoursAgo(-0.1) },
    })
    expect(await purgeBuilds(database.db, now)).toBe(3)
    expect(await left(database)).toEqual(['of today', 'signed', 'signed and dropped', 'waiting'])
    expect(await purgeBuilds(database.db, now)).toBe(0)
  })

  test('behavior: what something refers to stays', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    await writeBuilds(database, {
      replaced: expired({ state: 'dropped' }),
      'replaces it': expired({ state: 'dropped', signature: '0x51', replaces: 'replaced' }),
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
        network: 31337,
        account,
        kind: 'sponsored',
        caller: '',
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
    expect(await purgeBuilds(db, now)).toBe(1)
    expect(await left(database)).not.toContain('of nothing')
  })

  test('behavior: a chain of builds that replaced each other goes from its end', async () => {
    await using database = await freshDatabase(engine)
    await writeBuilds(database, {
      first: expired(),
      second: expired({ replaces: 'first' }),
      third: expired({ replaces: 'second' }),
    })
    for (let pass = 0; pass < 3; pass++) await purgeBuilds(database.db, now)
    expect(await left(database)).toEqual([])
  })

  test('behavior: of one account only so many are kept, the newest, and what can be signed', async () => {
    await using database = await freshDatabase(engine)
    const more = 250
    const names = Array.from({ length: mostPerAccount + more }, (_, index) => keccak256(numberToHex(index)))
    const builds = names.map((name, index): [string, Partial<OperationRow>] => [
      name,
      expired({ state: 'dropped', build_expires_at: new Date(now.getTime() + index) }),
    ])
    await writeBuilds(database, {
      ...Object.fromEntries(builds),
      waiting: { build_expires_at: new Date(now.getTime() + 1) },
    })
    expect(await purgeBuilds(database.db, now)).toBe(more)
    expect(await left(database)).toEqual([...names.slice(more), 'waiting'].sort())
  })
})
