import { expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'
import { createEoaAccount } from './create-eoa-account.ts'
import { findAccount, findAccounts } from './find-account.ts'

const smart = `0x${'a'.repeat(40)}`
const eoa = `0x${'b'.repeat(40)}`

describeEachEngine('findAccount', (engine) => {
  test('default', async () => {
    await using database = await freshDatabase(engine)
    await insertAccount(database.db, 'Alice', smart)
    expect(await findAccount(database.db, smart.toUpperCase().replace('0X', '0x'))).toMatchObject({
      address: smart,
      username: 'Alice',
      kind: 'passkey',
      eoa_address: null,
      passkey_x: 1n,
      deployment: {},
      created_at: expect.any(Date),
    })
  })

  test('behavior: an EOA finds the account whose first owner it was', async () => {
    await using database = await freshDatabase(engine)
    const created = { address: smart, eoaAddress: eoa, deployment: {}, createdAt: new Date() }
    await createEoaAccount(database.db, created)
    expect(await findAccount(database.db, eoa)).toMatchObject({ address: smart, eoa_address: eoa })
  })

  test('behavior: a smart account that owns another finds itself', async () => {
    await using database = await freshDatabase(engine)
    await insertAccount(database.db, 'owner', eoa)
    const owned = { address: smart, eoaAddress: eoa, deployment: {}, createdAt: new Date() }
    await createEoaAccount(database.db, owned)
    expect(await findAccount(database.db, eoa)).toMatchObject({ username: 'owner' })
    expect(await findAccount(database.db, smart)).toMatchObject({ eoa_address: eoa })
    // A second lookup distinguishes the owner from the account that it owns.
    const again = await createEoaAccount(database.db, owned)
    expect(again).toMatchObject({ created: false, account: { address: smart } })
  })

  test('behavior: an EOA that is an account itself, and owns another one, finds both', async () => {
    await using database = await freshDatabase(engine)
    const deployment = { kind: 'eip7702' }
    const itself = { address: eoa, eoaAddress: null, deployment, createdAt: new Date() }
    const created = await createEoaAccount(database.db, itself)
    expect(created).toMatchObject({
      created: true,
      account: { address: eoa, kind: 'eoa', eoa_address: null },
    })
    expect(await createEoaAccount(database.db, itself)).toMatchObject({
      created: false,
      account: { username: created.account.username },
    })
    expect(await findAccounts(database.db, eoa)).toMatchObject([{ address: eoa }])
    await createEoaAccount(database.db, { ...itself, address: smart, eoaAddress: eoa, deployment: {} })
    expect(await findAccounts(database.db, eoa)).toMatchObject([{ address: eoa }, { address: smart }])
    expect(await findAccounts(database.db, smart)).toMatchObject([{ address: smart }])
    expect(await findAccount(database.db, eoa)).toMatchObject({ address: eoa })
  })

  test('error: only an EOA that is the account itself has no other owner', async () => {
    await using database = await freshDatabase(engine)
    const orphan = { address: eoa, eoaAddress: null, deployment: {}, createdAt: new Date() }
    await expect(createEoaAccount(database.db, orphan)).rejects.toThrow(/accounts_check/)
  })

  test('behavior: unknown', async () => {
    await using database = await freshDatabase(engine)
    expect(await findAccount(database.db, smart)).toBeUndefined()
  })
})
