import {
  countSignature,
  createEoaAccount,
  type Database,
  maxUnresolvedNonces,
  type OperationRow,
  type ReadOperation,
  readOperation,
  recordPlainSignature,
  recordSignature,
} from '@lanyard/database'
import { describeEachEngine, freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { type Kysely, sql } from 'kysely'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationRow } from '../../../../test/rows.ts'
import { signRow } from './sign-row.ts'

/** Runs the transaction, as a caller with records does. */
const onSigned = async () => {}
const references = ['order_operations', 'sponsorships'] as const
const payers = { payerHooks: { onSigned: async () => {} }, features: { references } }

const now = new Date(1_000)
const signed = { state: 'submitted', signature: '0x51', signed_at: now } as const
const included = {
  ...signed,
  state: 'included',
  txn_hash: '0x01',
  block_number: 1,
  block_hash: '0x02',
  success: true,
} as const

/** Operations that compete with a build for its nonce, by name, and whether the build can still be signed. */
const cases: readonly [
  string,
  Readonly<Record<string, Partial<OperationRow>>>,
  Partial<OperationRow>,
  boolean,
][] = [
  ['nothing', {}, {}, true],
  ['unsigned builds', { other: {} }, {}, true],
  ['a signed operation', { other: signed }, {}, false],
  ['an operation that the build replaces', { other: signed }, { replaces: 'other' }, true],
  ['a dropped operation that a reorg may bring back', { other: { ...signed, state: 'dropped' } }, {}, false],
  ['a dropped operation that is final', { other: { ...signed, state: 'dropped', final: true } }, {}, true],
  ['an included operation', { other: included }, {}, false],
  ['an included operation that the build replaces', { other: included }, { replaces: 'other' }, false],
  [
    'a chain of replacements whose last one the build replaces',
    { other: signed, newer: { ...signed, replaces: 'other' } },
    { replaces: 'newer' },
    true,
  ],
  [
    'a chain of replacements whose first one the build replaces',
    { other: signed, newer: { ...signed, replaces: 'other' } },
    { replaces: 'other' },
    false,
  ],
  [
    'a signed operation whose replacement is dropped and final',
    { other: signed, newer: { ...signed, state: 'dropped', final: true, replaces: 'other' } },
    {},
    false,
  ],
  ['a signed operation on another lane', { other: { ...signed, nonce_key: 1n } }, {}, true],
  ['a signed operation on another network', { other: { ...signed, network: 1 } }, {}, true],
]

describeEachEngine('signRow', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase(engine)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  let accounts = 0
  const written = { signature: '0x52', head: 1n, now, nextAttemptAt: now }

  async function read(hash: string): Promise<ReadOperation> {
    const row = await readOperation(database.db)(hash)
    if (!row) throw new TypeError(`There is no operation ${hash}`)
    return row
  }

  /** Inserts builds of new accounts, one each, or all of one account with one nonce. */
  async function insertBuilds(count: number, change: Partial<OperationRow> = {}, { ofOne = false } = {}) {
    const hashes: string[] = []
    for (let index = 0; index < count; index++) {
      if (index === 0 || !ofOne) {
        const account = numberToHex(++accounts, { size: 20 })
        await createEoaAccount(database.db, {
          address: account,
          eoaAddress: account,
          deployment: {},
          createdAt: now,
        })
      }
      const account = numberToHex(accounts, { size: 20 })
      const row = operationRow({ account, ...change, user_op_hash: `build ${index} of ${account}` })
      await database.db
        .insertInto('operations')
        .values({ ...row, user_op: '{}' })
        .execute()
      hashes.push(row.user_op_hash)
    }
    return hashes
  }
  test('error: TOO_MANY_OPERATIONS', async () => {
    const { db } = database
    const sign = async (hash: string, isPlain: boolean) => {
      const { account_signatures, ...row } = await read(hash)
      const signable = isPlain ? { ...row, account_signatures } : row
      return signRow(db, {
        row: signable,
        signature: '0x52',
        head: 1n,
        now,
        ...payers,
        onSigned: isPlain ? undefined : onSigned,
      })
    }
    const [last = ''] = await insertBuilds(1, { nonce_key: 1_000n })
    const { account } = await read(last)
    const others = Array.from({ length: maxUnresolvedNonces }, (_, key) => ({
      ...operationRow({
        account,
        ...signed,
        nonce_key: BigInt(key),
        user_op_hash: `other ${key} of ${account}`,
      }),
      user_op: '{}',
    }))
    await db.insertInto('operations').values(others).execute()
    for (const isPlain of [true, false]) {
      await expect(sign(last, isPlain)).rejects.toMatchObject({ code: 'TOO_MANY_OPERATIONS' })
    }
    const [replacement = ''] = await insertBuilds(1, {
      nonce_key: 7n,
      replaces: `other 7 of ${account}`,
      account,
    })
    expect(await sign(replacement, true)).toMatchObject({ first: true }) // takes no further nonce
    await db
      .updateTable('operations')
      .set({ state: 'dropped' })
      .where('user_op_hash', '=', `other 3 of ${account}`)
      .execute()
    expect(await sign(last, true)).toMatchObject({ first: true })
  })

  test.each(cases)('behavior: a build that competes with %s', async (_name, others, build, isSigned) => {
    const { db } = database
    const account = numberToHex(++accounts, { size: 20 })
    await createEoaAccount(db, { address: account, eoaAddress: account, deployment: {}, createdAt: now })
    const nameOf = (name: string) => `${name} of ${account}`
    const rows = Object.entries({ ...others, build: { ...build, built_by: 'me' } }).map(
      ([name, changed]) => ({
        ...operationRow({ account, ...changed, user_op_hash: nameOf(name) }),
        ...('replaces' in changed && changed.replaces && { replaces: nameOf(changed.replaces) }),
        user_op: '{}',
      }),
    )
    for (const row of rows) await db.insertInto('operations').values(row).execute()
    const row = await read(nameOf('build'))
    // The single statement decides like the transaction.
    const attempt = db.transaction().execute(async (transaction) => {
      const signed = await recordPlainSignature(transaction, row, written, references)
      throw new Undone(signed?.state)
    })
    await expect(attempt).rejects.toThrow(new Undone(isSigned ? 'submitting' : undefined))

    const signing = signRow(db, { row, signature: '0x52', head: 1n, now, ...payers, onSigned })
    if (!isSigned) {
      await expect(signing).rejects.toMatchObject({
        code: 'REBUILD',
        message: expect.stringContaining('has its nonce'),
      })
      return
    }
    expect(await signing).toMatchObject({ first: true, row: { state: 'submitting', built_by: null } })
    // Signing again with the same signature finds the row signed.
    expect(await signRow(db, { row, signature: '0x52', head: 1n, now, ...payers, onSigned })).toMatchObject({
      first: false,
    })
  })

  test('error: REBUILD for an expired build', async () => {
    const { db } = database
    const account = numberToHex(++accounts, { size: 20 })
    await createEoaAccount(db, { address: account, eoaAddress: account, deployment: {}, createdAt: now })
    const row = operationRow({ account, user_op_hash: `ended of ${account}`, build_expires_at: now })
    await db
      .insertInto('operations')
      .values({ ...row, user_op: '{}' })
      .execute()
    await expect(
      signRow(db, { row, signature: '0x52', head: 1n, now, ...payers, onSigned }),
    ).rejects.toMatchObject({
      code: 'REBUILD',
      message: expect.stringContaining('ten minutes'),
    })
  })

  test.each([
    ['waits', signed, 'OPERATION_IN_FLIGHT'],
    ['is included since this build', included, 'REBUILD'],
    // The account has lost its code since: an EOA may end its delegation.
    ['was included before this build', { ...included, signed_at: new Date(-1) }, undefined],
  ] as const)('behavior: a first build while another first operation %s', async (_name, other, code) => {
    const [hash = ''] = await insertBuilds(1, { deploys: true })
    const row = await read(hash)
    const first = { ...operationRow({ ...other, account: row.account, deploys: true, nonce_key: 1n }) }
    await database.db
      .insertInto('operations')
      .values({ ...first, user_op_hash: `first of ${row.account}`, user_op: '{}' })
      .execute()
    const signing = signRow(database.db, { row, signature: '0x52', head: 1n, now, ...payers })
    if (code) await expect(signing).rejects.toMatchObject({ code })
    else expect(await signing).toMatchObject({ first: true })
  })

  test('behavior: one expired build among 32 concurrent ones is not signed and does not block the others', async () => {
    const { db } = database
    const hashes = [...(await insertBuilds(31)), ...(await insertBuilds(1, { build_expires_at: now }))]
    const rows = await Promise.all(hashes.map(read))
    const signed = await Promise.all(rows.map((row) => recordPlainSignature(db, row, written, references)))
    expect(signed.map((row) => row?.state)).toEqual([...Array(31).fill('submitting'), undefined])
    expect(signed.slice(0, 31).map((row) => row?.user_op_hash)).toEqual(hashes.slice(0, 31))
  })

  test.each([
    ['a build that deploys its account', { deploys: true }],
    ['a build that is already signed', signed],
  ] as const)('behavior: the statement leaves %s to the transaction', async (_name, change) => {
    const [hash = ''] = await insertBuilds(1, change)
    expect(await recordPlainSignature(database.db, await read(hash), written, references)).toBeUndefined()
  })

  test('behavior: if builds with the same nonce are signed concurrently, one succeeds', async () => {
    const { db } = database
    const rows = await Promise.all((await insertBuilds(5, {}, { ofOne: true })).map(read))
    const outcomes = await Promise.allSettled(
      rows.map((row) => signRow(db, { row, signature: '0x52', head: 1n, now, ...payers })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'REBUILD' })
    const states = await Promise.all(rows.map(async ({ user_op_hash }) => (await read(user_op_hash)).state))
    expect(states.toSorted()).toEqual(['built', 'built', 'built', 'built', 'submitting'])
  })

  test('behavior: a row read before another signature is not signed', async () => {
    const { db } = database
    const [first, second] = await Promise.all((await insertBuilds(2, {}, { ofOne: true })).map(read))
    if (!first || !second) throw new TypeError('the test needs two rows')
    // Another process would do this under its own lock.
    await signRow(db, { row: first, signature: '0x52', head: 1n, now, ...payers, onSigned })
    const other = { ...second, nonce_key: 7n } // the row is refused even if its nonce has no competitor
    expect(await recordPlainSignature(db, other, written, references)).toBeUndefined()
  })

  if (engine === 'postgresql')
    test('behavior: the statement sees a competing signature that is committed while it waits for the account', async () => {
      const { db } = database
      const [conflicting, build] = await Promise.all((await insertBuilds(2, {}, { ofOne: true })).map(read))
      if (!conflicting || !build) throw new TypeError('the test needs two rows')
      const locked = Promise.withResolvers<void>()
      const signing = locked.promise.then(() => recordPlainSignature(db, build, written, references))
      await db.transaction().execute(async (transaction) => {
        await countSignature(transaction, conflicting.account)
        locked.resolve()
        await expect.poll(() => hasLockWaiter(transaction)).toBe(true)
        await recordSignature(transaction, conflicting, written)
      })
      expect(await signing).toBeUndefined()
      expect(await read(build.user_op_hash)).toMatchObject({ state: 'built', signature: null })
    })
})

/** Rolls back a transaction and carries the result out of it. */
class Undone extends Error {
  constructor(state: string | undefined) {
    super(`undone: ${state}`)
  }
}

/** Reads the locks: pg_stat_activity returns the same values throughout a transaction. */
const hasLockWaiter = async (db: Kysely<Database>) =>
  (await sql`select pid from pg_locks where not granted`.execute(db)).rows.length > 0
