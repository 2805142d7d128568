import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertOperation } from '../../test/insert-operation.ts'
import { openDatabase } from '../open-database.ts'
import { addToBudgets, readBudgets } from '../sponsorships/budgets.ts'
import {
  chargeSponsorship,
  deleteUnusedWithoutBuild,
  promiseSponsorship,
  sponsorshipBudgets,
} from '../sponsorships/sponsorships.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'
import { createEoaAccount, type NewEoaAccount } from './create-eoa-account.ts'
import { deleteLapsedAccounts } from './displace-account.ts'

const account: NewEoaAccount = {
  address: '0xAAaaAAaaaAaaAaaaAAaAaAAaaAAaAaaaaAAAaAAa',
  eoaAddress: `0x${'b'.repeat(40)}`,
  deployment: { saltNonce: '0', owners: ['x'] },
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
}

const unsigned = {
  state: 'built',
  signature: null,
  signed_at: null,
  signed_at_block: null,
  attempts: 0,
} as const

describeEachEngine('createEoaAccount', (engine) => {
  test('default', async () => {
    await using database = await freshDatabase(engine)
    const { account: made, created } = await createEoaAccount(database.db, account)
    expect(created).toBe(true)
    expect(made).toMatchObject({
      address: account.address.toLowerCase(),
      eoa_address: account.eoaAddress,
      deployment: account.deployment,
      kind: 'eoa',
      created_at: account.createdAt,
    })
    expect(made.username).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('behavior: returns the existing account the second time', async () => {
    await using database = await freshDatabase(engine)
    const first = await createEoaAccount(database.db, account)
    const second = await createEoaAccount(database.db, { ...account, address: `0x${'c'.repeat(40)}` })
    expect(second).toEqual({ account: first.account, created: false })
  })

  test('behavior: concurrent replicas create one account and one user', async () => {
    await using database = await freshDatabase(engine)
    const url = database.url
    const replicas = await Promise.all(
      Array.from({ length: 3 }, async () => (url ? openDatabase({ url }) : database)),
    )
    const made = await Promise.all(
      replicas.flatMap(({ db }) => Array.from({ length: 5 }, () => createEoaAccount(db, account))),
    )
    await Promise.all(replicas.map((replica) => replica !== database && replica.close()))
    expect(made.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(made.map((one) => one.account.username)).size).toBe(1)
    expect(await database.db.selectFrom('users').select('id').execute()).toHaveLength(1)
  })

  test('behavior: creates nothing if the transaction is rolled back', async () => {
    await using database = await freshDatabase(engine)
    const failing = database.db.transaction().execute(async (trx) => {
      await createEoaAccount(trx, account)
      throw new RangeError('changed its mind')
    })
    await expect(failing).rejects.toThrow(RangeError)
    expect(await database.db.selectFrom('users').select('id').execute()).toEqual([])
  })

  test('behavior: an EOA that somebody created at the address of the contract account gives way, with its builds', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const squatter = { ...account, eoaAddress: null, deployment: { kind: 'eip7702' } }
    await createEoaAccount(db, squatter)
    await insertOperation(db, account.address.toLowerCase(), unsigned)
    const { user_op_hash } = await db
      .selectFrom('operations')
      .select('user_op_hash')
      .executeTakeFirstOrThrow()
    const promise = {
      ...{ user_op_hash, network: 1, account: account.address.toLowerCase() },
      kind: 'sponsored',
      ...{ policy: 'p', caller: 'shop', builder: 'b', day: '2026-01-02', reserved: 5n, relayer_gas: 0 },
      ...{ valid_until: 1, built_at_block: 1, created_at: new Date() },
    } as const
    await db.transaction().execute(async (transaction) => {
      await promiseSponsorship(transaction, promise)
      await addToBudgets(transaction, sponsorshipBudgets(promise), { promised: 5n, promises: 1 })
    })
    const { account: made, created } = await createEoaAccount(db, account)
    expect(created).toBe(true)
    expect(made).toMatchObject({ eoa_address: account.eoaAddress, deployment: account.deployment })
    expect(await db.selectFrom('users').select('id').execute()).toEqual([{ id: made.user_id }])
    expect(await db.selectFrom('operations').select('state').execute()).toEqual([])
    // The paymaster's signature is given, so the promise stays until it ends: its build can be brought to EntryPoint.
    const budgets = await readBudgets(db, sponsorshipBudgets(promise))
    expect(budgets).toHaveLength(8)
    for (const budget of budgets) expect(budget).toMatchObject({ promised: 5n, promises: 1 })
    // Once it is certain that it costs nothing, it goes.
    await db.transaction().execute(async (transaction) => {
      await deleteUnusedWithoutBuild(transaction, promise)
      expect(await transaction.selectFrom('sponsorships').select('account').execute()).toHaveLength(1)
      await chargeSponsorship(transaction, promise, 0n)
      await deleteUnusedWithoutBuild(transaction, promise)
      expect(await transaction.selectFrom('sponsorships').select('account').execute()).toEqual([])
    })
    // The proven one does not give way.
    await expect(createEoaAccount(db, squatter)).resolves.toMatchObject({
      account: { eoa_address: made.eoa_address },
    })
  })

  test('behavior: an imported account has a name of its own, and gives way to its proof until it is used', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const { address } = account
    const imported = { ...account, eoaAddress: null, confirmed: false, deployment: { address } }
    await createEoaAccount(db, { ...account, eoaAddress: null, deployment: { kind: 'eip7702' } })
    const first = await createEoaAccount(db, imported)
    expect(first).toMatchObject({ created: true, account: { username: address.toLowerCase() } })
    expect(await createEoaAccount(db, imported)).toMatchObject({ created: false })
    const { account: proven } = await createEoaAccount(db, account)
    expect(proven).toMatchObject({ eoa_address: account.eoaAddress, deployment: account.deployment })
    // Importing it again finds the account that is proven.
    expect((await createEoaAccount(db, imported)).account.user_id).toBe(proven.user_id)

    await db.deleteFrom('accounts').execute()
    await db.deleteFrom('users').execute()
    const { account: used } = await createEoaAccount(db, imported)
    await db.updateTable('accounts').set({ signatures: 1 }).execute()
    expect((await createEoaAccount(db, account)).account.user_id).toBe(used.user_id)
    await db.updateTable('accounts').set({ signatures: 0 }).execute()
    const lapsed = { before: new Date(account.createdAt.getTime() + 1), limit: 10 }
    expect(await deleteLapsedAccounts(db, lapsed)).toBe(1)
    expect(await db.selectFrom('users').selectAll().execute()).toEqual([])
  })

  test('behavior: an account whose user linked a login or added a passkey neither lapses nor gives way', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const createImported = async (digit: string) => {
      const address = `0x${digit.repeat(40)}`
      const { account: made } = await createEoaAccount(db, {
        ...{ ...account, address, eoaAddress: null },
        ...{ confirmed: false, deployment: { address } },
      })
      return made
    }
    const linked = await createImported('1')
    await db
      .insertInto('identities')
      .values({
        ...{ hash: 'a'.repeat(64), id: randomUUID(), issuer: 'https://login.example' },
        ...{ user_id: linked.user_id, linked_at: account.createdAt, used_at: null },
      })
      .execute()
    const withPasskey = await createImported('2')
    await db
      .insertInto('credentials')
      .values({
        ...{ id: 'AAAA', user_id: withPasskey.user_id, public_key: Buffer.alloc(77), first_owner: false },
        ...{ signer: `0x${'c'.repeat(40)}`, verifiers: 0n, label: 'Passkey', counter: 0, transports: '[]' },
        ...{ backup_eligible: false, backed_up: false, aaguid: randomUUID(), last_used_at: null },
        created_at: account.createdAt,
      })
      .execute()
    const guarding = await createImported('3')
    await db
      .insertInto('known_guardians')
      .values({
        ...{ account: `0x${'d'.repeat(40)}`, guardian: `0x${'e'.repeat(40)}`, key: null },
        ...{ user_id: guarding.user_id, proven_at: account.createdAt },
      })
      .execute()
    await createImported('4')
    const lapsed = { before: new Date(account.createdAt.getTime() + 1), limit: 10 }
    // One of them would otherwise end every purge of this database.
    expect(await deleteLapsedAccounts(db, lapsed)).toBe(1)
    expect(await deleteLapsedAccounts(db, lapsed)).toBe(0)
    const left = await db.selectFrom('accounts').select('user_id').orderBy('address').execute()
    expect(left.map(({ user_id }) => user_id)).toEqual([
      linked.user_id,
      withPasskey.user_id,
      guarding.user_id,
    ])
    const proven = { ...account, address: linked.address }
    expect((await createEoaAccount(db, proven)).account.user_id).toBe(linked.user_id)
    expect(await db.selectFrom('identities').select('user_id').execute()).toEqual([
      { user_id: linked.user_id },
    ])
  })

  test('behavior: an EOA that is its own account is named by its address, and lapses unless it is proven', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const now = Date.now()
    const create = (digit: string, confirmed: boolean, days: number) =>
      createEoaAccount(db, {
        ...{ address: `0x${digit.repeat(40)}`, eoaAddress: null, deployment: { kind: 'eip7702' } },
        ...{ confirmed, createdAt: new Date(now - days * 86_400_000) },
      })
    const { account: unproven } = await create('1', false, 8)
    expect(unproven.username).toBe(unproven.address)
    const { account: built } = await create('5', false, 8)
    await insertOperation(db, built.address, unsigned)
    const { account: signed } = await create('2', false, 8)
    await db.updateTable('accounts').set({ signatures: 1 }).where('address', '=', signed.address).execute()
    await create('3', true, 8)
    await create('4', false, 6)
    // A contract account follows from its owner: it takes no address from others.
    await createEoaAccount(db, { ...account, confirmed: false, createdAt: new Date(now - 8 * 86_400_000) })
    const lapsed = { before: new Date(now - 7 * 86_400_000), limit: 10 }
    expect(await deleteLapsedAccounts(db, lapsed)).toBe(1)
    expect(await deleteLapsedAccounts(db, lapsed)).toBe(0)
    const left = await db.selectFrom('accounts').select('address').execute()
    expect(left.map(({ address }) => address)).not.toContain(unproven.address)
    expect(left).toHaveLength(5)
    expect(await db.selectFrom('users').select('id').execute()).toHaveLength(5)
    expect((await create('1', false, 0)).account.username).toBe(unproven.username)
  })

  test('error: INTERNAL if the address belongs to another owner', async () => {
    await using database = await freshDatabase(engine)
    await createEoaAccount(database.db, account)
    const other = createEoaAccount(database.db, { ...account, eoaAddress: `0x${'d'.repeat(40)}` })
    await expect(other).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(await database.db.selectFrom('users').select('id').execute()).toHaveLength(1)
  })
})
