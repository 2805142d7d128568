import { createEoaAccount, type OperationRow } from '@lanyard/database'
import { describeEachEngine, freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationRow } from '../../../../test/rows.ts'
import { signRow } from './sign-row.ts'

const onSigned = async () => {}

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

/** What competes with a build at its nonce, by name, and whether the build can be signed all the same. */
const cases: readonly [
  string,
  Readonly<Record<string, Partial<OperationRow>>>,
  Partial<OperationRow>,
  boolean,
][] = [
  ['nothing', {}, {}, true],
  ['unsigned builds', { other: {} }, {}, true],
  ['a signed one', { other: signed }, {}, false],
  ['one that the build replaces', { other: signed }, { replaces: 'other' }, true],
  ['one that was dropped, and may come after a reorg', { other: { ...signed, state: 'dropped' } }, {}, false],
  ['one that can never come', { other: { ...signed, state: 'dropped', final: true } }, {}, true],
  ['an included one', { other: included }, {}, false],
  ['an included one that the build was to replace', { other: included }, { replaces: 'other' }, false],
  [
    'a chain of which the build replaces the last',
    { other: signed, newer: { ...signed, replaces: 'other' } },
    { replaces: 'newer' },
    true,
  ],
  [
    'a chain of which the build replaces the first',
    { other: signed, newer: { ...signed, replaces: 'other' } },
    { replaces: 'other' },
    false,
  ],
  [
    'one whose replacement can never come',
    { other: signed, newer: { ...signed, state: 'dropped', final: true, replaces: 'other' } },
    {},
    false,
  ],
  ['a signed one of another lane', { other: { ...signed, nonce_key: 1n } }, {}, true],
  ['a signed one of another network', { other: { ...signed, network: 1 } }, {}, true],
]

describeEachEngine('signRow', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase(engine)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  let accounts = 0
  test.each(cases)('behavior: beside %s', async (_name, others, build, isSigned) => {
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
    const row = await db
      .selectFrom('operations')
      .selectAll()
      .where('user_op_hash', '=', nameOf('build'))
      .executeTakeFirstOrThrow()
    const signing = signRow(db, { row, signature: '0x52', head: 1n, now, onSigned })
    if (!isSigned) {
      await expect(signing).rejects.toMatchObject({
        code: 'REBUILD',
        message: expect.stringContaining('has its nonce'),
      })
      return
    }
    expect(await signing).toMatchObject({ first: true, row: { state: 'submitting', built_by: null } })
    // The same signature again finds it signed.
    expect(await signRow(db, { row, signature: '0x52', head: 1n, now, onSigned })).toMatchObject({
      first: false,
    })
  })

  test('error: REBUILD for a build that has ended', async () => {
    const { db } = database
    const account = numberToHex(++accounts, { size: 20 })
    await createEoaAccount(db, { address: account, eoaAddress: account, deployment: {}, createdAt: now })
    const row = operationRow({ account, user_op_hash: `ended of ${account}`, build_expires_at: now })
    await db
      .insertInto('operations')
      .values({ ...row, user_op: '{}' })
      .execute()
    await expect(signRow(db, { row, signature: '0x52', head: 1n, now, onSigned })).rejects.toMatchObject({
      code: 'REBUILD',
      message: expect.stringContaining('ten minutes'),
    })
  })
})
