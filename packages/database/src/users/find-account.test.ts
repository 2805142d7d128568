import { expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'
import { createEoaAccount } from './create-eoa-account.ts'
import { findAccount } from './find-account.ts'

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

  test('behavior: unknown', async () => {
    await using database = await freshDatabase(engine)
    expect(await findAccount(database.db, smart)).toBeUndefined()
  })
})
