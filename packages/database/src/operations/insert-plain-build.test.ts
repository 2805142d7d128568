import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { insertOperation, randomHash } from '../../test/insert-operation.ts'
import { openDatabase } from '../open-database.ts'
import type { Database, NewOperationRow, OperationRow } from '../schema.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'
import { insertBuild, insertPlainBuild } from './insert-build.ts'

const builtAt = new Date('2026-01-02T03:04:05.678Z')

/** A build with the largest values that its columns take. */
const rowOf = (account: string, changed: Partial<NewOperationRow> = {}): NewOperationRow => ({
  user_op_hash: randomHash(),
  account,
  network: 31337,
  entry_point: `0x${'e'.repeat(40)}`,
  nonce_key: 2n ** 192n - 1n,
  nonce_sequence: 2n ** 64n - 1n,
  user_op: { sender: account, nonce: '0x1', callData: '0x"\\u0041' },
  safe_op_hash: randomHash(),
  valid_after: 0,
  valid_until: 2 ** 48 - 1,
  sign_mode: 'SESSION_KEY',
  session_key: { sessionKeys: account, key: { x: '0x1', y: '0x2' } },
  value: 2n ** 256n - 1n,
  deploys: true,
  replaces: null,
  built_by: "address:127.0.0.1 o'clock",
  state: 'built',
  built_at: builtAt,
  build_expires_at: new Date(builtAt.getTime() + 600_000),
  ...changed,
})

const readRow = (db: Kysely<Database>, hash: string): Promise<OperationRow | undefined> =>
  db.selectFrom('operations').selectAll().where('user_op_hash', '=', hash).executeTakeFirst()

describeEachEngine('insertPlainBuild', (engine) => {
  test('default: it writes the row that insertBuild writes, and counts it', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const account = await insertAccount(db, 'someone')
    const row = rowOf(account)
    expect(await insertPlainBuild(db, { row, version: 0n })).toBe(true)
    const other = rowOf(account, { ...row, user_op_hash: randomHash() })
    await db.transaction().execute((transaction) => insertBuild(transaction, other))

    const written = await readRow(db, row.user_op_hash)
    expect({ ...written, user_op_hash: other.user_op_hash }).toEqual(await readRow(db, other.user_op_hash))
    expect(written).toMatchObject({ user_op: row.user_op, value: row.value, built_at: builtAt })
    expect(await insertPlainBuild(db, { row: rowOf(account), version: 1n })).toBe(true)
  })

  test('error: nothing is written for an account that has changed since it was read', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    for (const [index, counter] of (['version', 'signatures'] as const).entries()) {
      const account = await insertAccount(db, `someone${index}`)
      await db
        .updateTable('accounts')
        .set({ [counter]: 1 })
        .where('address', '=', account)
        .execute()
      const row = rowOf(account)
      expect(await insertPlainBuild(db, { row, version: 0n })).toBe(false)
      expect(await readRow(db, row.user_op_hash)).toBeUndefined()
    }
  })

  test('behavior: of 32 concurrent builds, only the outdated and the unknown one fail', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const accounts = await Promise.all(
      Array.from({ length: 31 }, (_, index) => insertAccount(db, `someone${index}`)),
    )
    const rows = [...accounts, `0x${'9'.repeat(40)}`].map((account) => rowOf(account))
    const outcomes = await Promise.all(
      rows.map((row, index) => insertPlainBuild(db, { row, version: index === 7 ? 5n : 0n })),
    )
    expect(outcomes.flatMap((isWritten, index) => (isWritten ? [] : [index]))).toEqual([7, 31])
    const { count } = await db
      .selectFrom('operations')
      .select((eb) => eb.fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(30)
  })

  test('behavior: one of several concurrent builds of an account is written, whichever process sends them', async () => {
    await using database = await freshDatabase(engine)
    const { db, url } = database
    const account = await insertAccount(db, 'someone')
    const replicas = await Promise.all(
      Array.from({ length: 3 }, async () => (url ? openDatabase({ url }) : database)),
    )
    const outcomes = await Promise.all(
      replicas.flatMap((replica) =>
        Array.from({ length: 4 }, () => insertPlainBuild(replica.db, { row: rowOf(account), version: 0n })),
      ),
    )
    await Promise.all(replicas.map((replica) => replica !== database && replica.close()))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await db.selectFrom('operations').select('user_op_hash').execute()).toHaveLength(1)
  })

  test('behavior: the identical build is renewed while it is unsigned, and keeps its first builder', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const account = await insertAccount(db, 'someone')
    const row = rowOf(account)
    await insertPlainBuild(db, { row, version: 0n })
    const later = new Date(builtAt.getTime() + 60_000)
    const again = { ...row, built_by: 'another', built_at: later }
    expect(await insertPlainBuild(db, { row: again, version: 1n })).toBe(true)
    expect(await readRow(db, row.user_op_hash)).toMatchObject({ built_by: row.built_by, built_at: later })

    const signed = await insertOperation(db, account)
    const repeated = rowOf(account, { user_op_hash: signed.user_op_hash })
    expect(await insertPlainBuild(db, { row: repeated, version: 2n })).toBe(false)
    expect(await readRow(db, signed.user_op_hash)).toEqual(signed)
  })
})
