import { usernameKey, usernameSkeleton } from '@lanyard/contracts'
import { expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'
import { createEoaAccount } from './create-eoa-account.ts'
import {
  claimImport,
  claimImports,
  deleteLapsedImports,
  findImport,
  type ImportRow,
  importAccounts,
  listImports,
  withdrawImports,
} from './imported-accounts.ts'
import { insertPasskeyAccount } from './insert-passkey-account.ts'
import { refreshSkeletons } from './refresh-skeletons.ts'
import { searchUsers } from './search-users.ts'
import { findUserByName, findUsernameConflict } from './usernames.ts'

const now = new Date('2026-01-02T00:00:00Z')
const expiresAt = new Date('2026-04-02T00:00:00Z')
const eoa = (digit: string) => `0x${digit.repeat(40)}`

const row = (digit: string, username?: string, more: Partial<ImportRow> = {}): ImportRow => ({
  ...{ owner: eoa(digit), kind: 'eip7702', externalId: undefined, username },
  ...more,
})

describeEachEngine('imported accounts', (engine) => {
  const open = async () => {
    const database = await freshDatabase(engine)
    const { db } = database
    const importRows = (rows: readonly ImportRow[], dryRun = false, at = now) =>
      db
        .transaction()
        .execute((transaction) => importAccounts(transaction, rows, { now: at, expiresAt, dryRun }))
    const users = () => db.selectFrom('users').select(['username', 'username_key']).execute()
    return { database, db, importRows, users, [Symbol.asyncDispose]: () => database.close() }
  }

  const delegated = (digit: string) => ({
    ...{ address: eoa(digit), eoaAddress: null, deployment: { kind: 'eip7702' }, createdAt: now },
    confirmed: false,
  })

  test('default: a reserved name leads to nobody, and becomes the name of who proves the key', async () => {
    await using opened = await open()
    const { db, importRows } = opened
    const rows = [row('a', 'Alice', { externalId: 'u-1' }), row('b', undefined, { externalId: 'u-2' })]
    expect(await importRows(rows, true)).toEqual(['added', 'added'])
    expect(await listImports(db, { after: '', limit: 10 })).toEqual([])
    expect(await importRows(rows)).toEqual(['added', 'added'])
    expect(await importRows(rows, false, new Date('2026-02-02'))).toEqual(['unchanged', 'unchanged'])
    expect(await findUserByName(db, 'alice')).toBeUndefined()
    expect(await searchUsers(db, 'alice')).toEqual([])
    expect(await searchUsers(db, 'ali')).toEqual([])
    expect(await findUsernameConflict(db, 'ALICE')).toBe('reserved')

    const { account } = await createEoaAccount(db, delegated('a'))
    expect(account.username).toBe(eoa('a'))
    expect(await claimImports(db, { now, limit: 10 })).toBe(0)
    const claim = { owner: eoa('a'), account: eoa('a') }
    const prove = () => db.transaction().execute((transaction) => claimImport(transaction, claim, now))
    expect([await prove(), await prove()]).toEqual([true, false])
    expect(await findUserByName(db, 'alice')).toMatchObject({ id: account.user_id, username: 'Alice' })
    expect(await searchUsers(db, 'ali')).toEqual([{ username: 'Alice', address: eoa('a') }])
    expect(await findImport(db, { externalId: 'u-1' })).toMatchObject({
      ...{ owner: eoa('a'), account: eoa('a'), claimedAt: now, expiresAt },
    })
    expect(await importRows(rows)).toEqual(['unchanged', 'unchanged'])
    // The account stays although nothing was signed for it.
    const { confirmed } = (await createEoaAccount(db, delegated('a'))).account
    expect(confirmed).toBe(true)
    // Each reservation lapses, and what was claimed does not.
    expect(await deleteLapsedImports(db, { before: expiresAt, limit: 10 })).toBe(1)
    expect(await listImports(db, { after: '', limit: 10 })).toMatchObject([{ owner: eoa('a') }])
  })

  test('behavior: the first operation that is signed for the account claims, of that kind only', async () => {
    await using opened = await open()
    const { db, importRows } = opened
    await importRows([row('a', 'alice', { kind: 'safe' }), row('b', 'bob'), row('c', 'carol')])
    const safe = await createEoaAccount(db, {
      ...{ address: eoa('5'), eoaAddress: eoa('a'), deployment: { saltNonce: '0' }, createdAt: now },
    })
    // Carol has a Safe, and was imported as an EOA.
    const other = await createEoaAccount(db, {
      ...{ address: eoa('6'), eoaAddress: eoa('c'), deployment: { saltNonce: '0' }, createdAt: now },
    })
    const sign = (address: string) =>
      db.updateTable('accounts').set({ signatures: 1 }).where('address', '=', address).execute()
    await sign(safe.account.address)
    await sign(other.account.address)
    expect(await claimImports(db, { now, limit: 10 })).toBe(1)
    expect(await findUserByName(db, 'alice')).toMatchObject({ id: safe.account.user_id })
    expect(await findUserByName(db, 'carol')).toBeUndefined()
  })

  test('behavior: a name that lapsed is free, and an import after that begins again', async () => {
    await using opened = await open()
    const { db, importRows, users } = opened
    await importRows([row('a', 'alice', { externalId: 'u-1' })])
    const later = new Date(expiresAt.getTime() + 1)
    expect(await importRows([row('b', 'alice', { externalId: 'u-1' })], true, later)).toEqual(['added'])
    expect(await importRows([row('b', 'alice', { externalId: 'u-1' })], false, later)).toEqual(['added'])
    expect(await listImports(db, { after: '', limit: 10 })).toMatchObject([{ owner: eoa('b') }])
    expect(await users()).toHaveLength(1)
  })

  test('behavior: no user can take a reserved name, nor one that looks like it, at any time', async () => {
    await using opened = await open()
    const { db, importRows } = opened
    await importRows([row('a', 'alice')])
    for (const username of ['alice', 'ALICE', 'aIice', 'alicе']) {
      const taken = await db.transaction().execute((transaction) =>
        insertPasskeyAccount(transaction, {
          ...{ userId: crypto.randomUUID(), username, address: eoa('9'), createdAt: now },
          ...{ passkey: { x: 1n, y: 2n, verifiers: 3n }, deployment: {} },
        }),
      )
      expect(taken, username).toBe('name')
    }
    await db.updateTable('users').set({ skeleton_version: 0 }).execute()
    await refreshSkeletons(db)
    expect(await findUsernameConflict(db, 'aIice')).toBe('looks-the-same')
  })

  test('behavior: a row says what holds now, until its EOA has come', async () => {
    await using opened = await open()
    const { db, importRows, users } = opened
    await importRows([row('a', 'alice', { externalId: 'u-1' }), row('b', 'bob')])
    expect(await importRows([row('a', 'aIice', { externalId: 'u-9' })])).toEqual(['updated'])
    expect(await findImport(db, { owner: eoa('a') })).toMatchObject({ username: 'aIice', externalId: 'u-9' })
    expect(await importRows([row('a', 'carol', { kind: 'safe' })])).toEqual(['updated'])
    expect(await findImport(db, { owner: eoa('a') })).toMatchObject({
      ...{ username: 'carol', externalId: null, kind: 'safe' },
    })
    expect(await importRows([row('a')])).toEqual(['updated'])
    expect(await users()).toMatchObject([{ username: 'bob' }])
    expect(await importRows([row('b', 'bob', { kind: 'safe' })])).toEqual(['updated'])

    await createEoaAccount(db, {
      ...{ address: eoa('5'), eoaAddress: eoa('b'), deployment: { saltNonce: '0' }, createdAt: now },
    })
    await db
      .transaction()
      .execute((transaction) => claimImport(transaction, { owner: eoa('b'), account: eoa('5') }, now))
    const changes = [row('b', 'bob'), row('b', 'rob', { kind: 'safe' }), row('b', 'bob', { kind: 'safe' })]
    const verdicts = []
    for (const change of changes) verdicts.push(...(await importRows([change])))
    expect(verdicts).toEqual(['claimed', 'claimed', 'unchanged'])
    expect(await importRows([row('b', 'bob', { kind: 'safe', externalId: 'u-2' })])).toEqual(['updated'])
    expect(await findUserByName(db, 'bob')).toBeDefined()
    expect(
      await db.transaction().execute((transaction) => withdrawImports(transaction, [eoa('a'), eoa('b')])),
    ).toEqual([eoa('a')])
  })

  test('error: a name for which a login is creating a passkey, until the reservation ends', async () => {
    await using opened = await open()
    const { db, importRows } = opened
    await db
      .insertInto('identity_names')
      .values({
        ...{ hash: 'a'.repeat(64), issuer: 'https://login.example' },
        ...{ username_key: usernameKey('alice'), username_skeleton: usernameSkeleton('alice') },
        expires_at: new Date(now.getTime() + 1),
      })
      .execute()
    const rows = [row('a', 'alice'), row('b', 'aIice'), row('c', 'bob')]
    const expected = ['name-taken', 'looks-taken', 'added']
    expect(await importRows(rows, true)).toEqual(expected)
    expect(await importRows(rows)).toEqual(expected)
    expect(await importRows(rows.slice(0, 1), false, new Date(now.getTime() + 1))).toEqual(['added'])
  })

  test('behavior: pages of waiting EOAs are looked at in turn, and begin again', async () => {
    await using opened = await open()
    const { db, importRows } = opened
    const digits = ['1', '2', '3', '4', '5']
    await importRows(digits.map((digit) => row(digit, `user-${digit}`)))
    for (const digit of digits) await createEoaAccount(db, delegated(digit))
    const sign = (...signed: string[]) =>
      db.updateTable('accounts').set({ signatures: 1 }).where('address', 'in', signed.map(eoa)).execute()
    const claim = () => claimImports(db, { now, limit: 2 })
    await sign('1', '3')
    expect([await claim(), await claim(), await claim()]).toEqual([1, 1, 0])
    await sign('2', '5')
    expect([await claim(), await claim(), await claim()]).toEqual([1, 0, 1])
  })

  test('error: what is taken is rejected alone', async () => {
    await using opened = await open()
    const { db, importRows, users } = opened
    await insertAccount(db, 'zoe')
    await importRows([row('1', 'alice', { externalId: 'u-1' })])
    await createEoaAccount(db, {
      ...{ address: eoa('5'), eoaAddress: eoa('c'), deployment: { saltNonce: '0' }, createdAt: now },
    })
    const before = await users()
    const rows = [
      row('2', 'ZOE'),
      row('3', 'zoé'),
      row('4', 'alice'),
      row('6', 'aIice'),
      row('7', 'dora', { externalId: 'u-1' }),
      row('5', 'safe'),
      row('8', 'eve'),
    ]
    const expected = [
      ...['name-taken', 'looks-taken', 'name-taken', 'looks-taken', 'external-id-taken', 'not-an-eoa'],
      'added',
    ]
    expect(await importRows(rows, true)).toEqual(expected)
    expect(await importRows(rows)).toEqual(expected)
    expect(await users()).toHaveLength(before.length + 1)
  })
})
