import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { insertOperation } from '../../test/insert-operation.ts'
import type { NewOperationRow, OperationRow } from '../schema.ts'
import { describeEachEngine, freshDatabase, type TestDatabase } from '../testing/index.ts'
import {
  type ArchivePosition,
  archiveOperations,
  findArchivableNetworks,
  findDetachedMonths,
} from './archive-operations.ts'
import { readOperation } from './read-operation.ts'

const now = new Date('2026-11-26T00:00:00Z')
const before = new Date('2026-10-01T00:00:00Z')

describeEachEngine('archived operations', (engine) => {
  let database: TestDatabase
  let account: string
  let sequence = 0n
  beforeAll(async () => {
    database = await freshDatabase(engine)
    account = await insertAccount(database.db, 'alice')
  })
  afterAll(() => database?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    const { db } = database
    for (const table of ['sponsorships', 'relayer_transaction_operations', 'relayer_transactions'] as const)
      await db.deleteFrom(table).execute()
    await db.deleteFrom('operations').execute()
    await db.deleteFrom('archived_operations').execute()
  })

  const insert = (signedAt: string, changed: Partial<NewOperationRow> = {}): Promise<OperationRow> =>
    insertOperation(database.db, account, {
      ...{ state: 'included', final: true, success: true, gas_cost: 5n, nonce_sequence: sequence++ },
      ...{ txn_hash: '0x01', block_hash: '0x02', block_number: 3, signed_at: new Date(signedAt) },
      included_at: new Date(signedAt),
      ...changed,
    })
  /** One pass over everything that is old enough. */
  const archive = async (limit = 100): Promise<number> => {
    let moved = 0
    for (const network of await findArchivableNetworks(database.db, before)) {
      let after: ArchivePosition | undefined
      do {
        const batch = await archiveOperations(database.db, { network, before, after, now, limit })
        moved += batch.moved
        after = batch.next
      } while (after)
    }
    return moved
  }
  const hashesIn = async (table: 'operations' | 'archived_operations' | 'every_operation') =>
    (await database.db.selectFrom(table).select('user_op_hash').orderBy('signed_at').execute()).map(
      ({ user_op_hash }) => user_op_hash,
    )
  const partitions = async () => {
    const { rows } = await sql<{ name: string; count: string }>`
      select tableoid::regclass::text as name, count(*)::text as count from archived_operations group by 1 order by 1`.execute(
      database.db,
    )
    return rows.map(({ name, count }) => `${name}: ${count}`)
  }

  test('default: what is final and old moves into the partition of its month, and is found as before', async () => {
    const august = await insert('2026-08-31T23:59:59.999Z')
    const september = [await insert('2026-09-01T00:00:00Z'), await insert('2026-09-30T12:00:00Z')]
    const recent = await insert('2026-10-01T00:00:00Z')
    const open = await insert('2026-09-02T00:00:00Z', { final: false })
    expect(await archive()).toBe(3)
    expect(await archive()).toBe(0)
    expect(await hashesIn('operations')).toEqual([open.user_op_hash, recent.user_op_hash])
    expect(await partitions()).toEqual(['archived_operations_2026_08: 1', 'archived_operations_2026_09: 2'])
    expect(await hashesIn('every_operation')).toHaveLength(5)
    const [found, newer] = await Promise.all(
      [august, recent].map((row) => readOperation(database.db)(row.user_op_hash)),
    )
    expect(found).toEqual({ ...august, account_signatures: 0 })
    expect(newer?.user_op_hash).toBe(recent.user_op_hash)
    const shown = await database.db
      .selectFrom('every_operation')
      .selectAll()
      .where('user_op_hash', '=', september[1]?.user_op_hash ?? '')
      .executeTakeFirstOrThrow()
    expect(shown).toEqual(september[1])
  })

  test('behavior: the view and the archive have every column of operations', async () => {
    const columns = async (table: string) => {
      const { rows } = await sql<{ column: string }>`
        select attname || ' ' || format_type(atttypid, atttypmod) as column from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attname`.execute(
        database.db,
      )
      return rows.map(({ column }) => column)
    }
    const all = await columns('operations')
    expect(await columns('every_operation')).toEqual(all)
    expect((await columns('archived_operations')).filter((column) => !all.includes(column))).toEqual([
      'archived_at timestamp with time zone',
      'bundles jsonb',
      'sponsorship jsonb',
    ])
  })

  test('behavior: its sponsorship and bundles go with it; an unsettled sponsorship and a replaced operation wait', async () => {
    const { db } = database
    const paid = await insert('2026-09-01T00:00:00Z')
    const unsettled = await insert('2026-09-02T00:00:00Z')
    const replaced = await insert('2026-09-03T00:00:00Z', { state: 'dropped' })
    await insert('2026-10-02T00:00:00Z', { replaces: replaced.user_op_hash })
    for (const [{ user_op_hash }, charged] of [
      [paid, 7n],
      [unsettled, null],
    ] as const) {
      await db
        .insertInto('sponsorships')
        .values({
          ...{ user_op_hash, network: 31337, account, kind: 'sponsored', policy: 'shop', caller: '' },
          ...{ builder: null, day: '2026-09-01', reserved: 9n, charged, valid_until: 0, built_at_block: 1 },
          created_at: now,
        })
        .execute()
    }
    await db
      .insertInto('relayer_transactions')
      .values({
        ...{ txn_hash: '0x0a', network: 31337, relayer: '0x0b', nonce: 0, raw: '', gas_limit: 1n },
        ...{ max_fee_per_gas: 1n, max_priority_fee_per_gas: 1n, state: 'mined' },
        ...{ block_number: 3, block_hash: '0x02', created_at: now, sent_at: now },
      })
      .execute()
    await db
      .insertInto('relayer_transaction_operations')
      .values({ txn_hash: '0x0a', position: 0, user_op_hash: paid.user_op_hash })
      .execute()
    expect(await archive()).toBe(1)
    expect(await db.selectFrom('archived_operations').selectAll().execute()).toMatchObject([
      { user_op_hash: paid.user_op_hash, bundles: ['0x0a'], sponsorship: { policy: 'shop', charged: 7 } },
    ])
    expect(await db.selectFrom('sponsorships').select('user_op_hash').execute()).toEqual([
      { user_op_hash: unsettled.user_op_hash },
    ])
  })

  test('behavior: a batch looks only at what comes after the last one, also if nothing of it may move', async () => {
    const replaced = await insert('2026-09-01T00:00:00Z', { state: 'dropped' })
    await insert('2026-10-02T00:00:00Z', { replaces: replaced.user_op_hash })
    const free = await insert('2026-09-02T00:00:00Z')
    const network = Number(free.network)
    const one = { network, before, now, limit: 1 }
    const stayed = await archiveOperations(database.db, one)
    expect(stayed).toEqual({
      moved: 0,
      next: { signedAt: replaced.signed_at, userOpHash: replaced.user_op_hash },
    })
    const moved = await archiveOperations(database.db, { ...one, after: stayed.next })
    expect(moved.moved).toBe(1)
    expect(await archiveOperations(database.db, { ...one, after: moved.next })).toEqual({
      moved: 0,
      next: undefined,
    })
    expect(await findArchivableNetworks(database.db, new Date(0))).toEqual([])
  })

  test('behavior: a detached month is no longer shown, and what comes later of it has a partition of its own', async () => {
    await insert('2026-07-01T00:00:00Z')
    await archive()
    await sql`alter table archived_operations detach partition archived_operations_2026_07`.execute(
      database.db,
    )
    expect(await hashesIn('every_operation')).toEqual([])
    expect(await findDetachedMonths(database.db)).toContain('2026-07')
    const late = await insert('2026-07-02T00:00:00Z')
    await archive()
    expect(await partitions()).toEqual(['archived_operations_2026_07_2: 1'])
    expect(await hashesIn('every_operation')).toEqual([late.user_op_hash])
  })

  test('behavior: two processes at once move each operation once, and a batch has a limit', async () => {
    for (let day = 1; day <= 9; day++) await insert(`2026-06-0${day}T00:00:00Z`)
    const [network = 0] = await findArchivableNetworks(database.db, before)
    const first = await archiveOperations(database.db, { network, before, now, limit: 2 })
    expect(first.moved).toBe(2)
    let moved = 2
    // A process passes over what another one holds.
    while (moved < 9) {
      const counts = await Promise.all([archive(2), archive(2), archive(2)])
      moved += counts.reduce((sum, count) => sum + count, 0)
    }
    expect(moved).toBe(9)
    expect(await hashesIn('archived_operations')).toHaveLength(9)
    expect(await hashesIn('operations')).toEqual([])
  })
})
