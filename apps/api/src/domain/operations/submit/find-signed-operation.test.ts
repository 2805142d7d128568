// @promise 24
import { setImmediate } from 'node:timers/promises'
import { defaultDeployment } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { createEoaAccount, type OperationRow } from '@lanyard/database'
import { describeEachEngine, freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { concat, type Hex, hexToNumber, keccak256, numberToHex, slice } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordCosts } from '../../../../test/record-costs.ts'
import { operationRow } from '../../../../test/rows.ts'
import { recordStatements } from '../../../../test/statements.ts'
import { sessionKey } from '../../session-keys/recognise-session-signature.ts'
import { eoa } from '../signers/eoa.ts'
import type { SigningAccount } from '../signers/signer.ts'
import { findSignedOperation } from './find-signed-operation.ts'

const hashOf = (index: number) => keccak256(numberToHex(index))
const withV = (signature: Hex, change: (v: number) => number) =>
  concat([slice(signature, 0, 64), numberToHex(change(hexToNumber(slice(signature, 64))), { size: 1 })])
const now = new Date(1_000)
/** The coordinates of a valid curve point that belongs to no known key. */
const wrong: Hex = `0x${'11'.repeat(32)}${'22'.repeat(32)}1b`
const times: Hex = `0x${'00'.repeat(12)}`

describeEachEngine('findSignedOperation', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase(engine)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  let accounts = 0
  /** An account with operations that differ from the default in the given fields. */
  async function createAccountWith(rows: readonly Partial<OperationRow>[]) {
    const owner = privateKeyToAccount(randomPrivateKey())
    const address = numberToHex(++accounts, { size: 20 })
    const eoaAddress = owner.address
    const createdAt = new Date(0)
    await createEoaAccount(database.db, { address, eoaAddress, deployment: {}, createdAt })
    const values = rows.map((changed, index) => ({
      ...operationRow({ account: address, nonce_sequence: BigInt(index), safe_op_hash: hashOf(index) }),
      user_op_hash: keccak256(concat([address, numberToHex(index)])),
      user_op: '{}',
      ...changed,
    }))
    await database.db.insertInto('operations').values(values).execute()
    let charges: number[] = []
    let left = 0
    let allowed = Number.POSITIVE_INFINITY
    const budget = {
      async charge(comparisons: number) {
        if (charges.length >= allowed) throw new LanyardError('RATE_LIMITED')
        charges.push(comparisons)
        left += comparisons
        await beforeOthers()
      },
      async refund(comparisons: number) {
        left -= comparisons
      },
    }
    const signing: SigningAccount = {
      wallet: { address, owner: { kind: 'eoa', address: owner.address }, deployment: defaultDeployment },
      database: database.db,
      ownersOn: async () => [],
      acceptsFirstOwner: true,
    }
    const find = (signature: Hex, name = {}) =>
      findSignedOperation(signing, eoa, signature, name, {
        builtBy: 'me',
        budget,
        now,
      })
    /** Charges since the last call, and the part of them that was not refunded. */
    const spent = () => {
      const since = { charges, left }
      charges = []
      left = 0
      return since
    }
    /** Runs when a search has read the caller's own operations, before it reads those of others. */
    let beforeOthers = async () => {}
    const meanwhile = (change: () => Promise<unknown>) => {
      beforeOthers = async () => void (await change())
    }
    const refuseAfter = (count: number) => {
      allowed = count
    }
    const hashes = values.map(({ user_op_hash }) => user_op_hash)
    return { signing, owner, find, hashes, spent, refuseAfter, meanwhile }
  }
  const signed = { state: 'dropped', final: true, signed_at: new Date(0) } as const

  test('behavior: a retry is found by its bytes for any encoding of v', async () => {
    const owner = privateKeyToAccount(randomPrivateKey())
    const raw = await owner.sign({ hash: hashOf(0) })
    const personal = await owner.signMessage({ message: { raw: hashOf(1) } })
    const forSafe = withV(personal, (v) => v + 4)
    // The account has another owner: no recovered address can match.
    const { find, hashes } = await createAccountWith([
      { ...signed, signature: concat([times, raw]) },
      { ...signed, signature: concat([times, forSafe]) },
    ])
    for (const form of [raw, withV(raw, (v) => v - 27), raw.toUpperCase().replace('0X', '0x') as Hex]) {
      expect(await find(form)).toMatchObject({ row: { user_op_hash: hashes[0] }, ownerSignature: raw })
    }
    for (const form of [personal, forSafe, withV(personal, (v) => v - 27)]) {
      expect(await find(form)).toMatchObject({ row: { user_op_hash: hashes[1] }, ownerSignature: forSafe })
    }
    // With the v of the prefixed form it is a different signature.
    await expect(find(withV(raw, (v) => v + 4))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
  })

  test.skipIf(engine !== 'pglite')(
    'behavior: one statement finds the likeliest build with its whole row, and another one the row of any other',
    async () => {
      const statements = recordStatements(database)
      const own = { built_by: 'me', build_expires_at: new Date(9_999) }
      const { find, hashes, owner } = await createAccountWith([
        { ...own, built_at: new Date(1) },
        { ...own, built_at: new Date(2) },
      ])
      for (const [index, count] of [2, 1].entries()) {
        const signature = await owner.sign({ hash: hashOf(index) })
        statements.take()
        const { row } = await find(signature)
        expect(row).toEqual({
          ...(await database.db
            .selectFrom('operations')
            .selectAll()
            .where('user_op_hash', '=', hashes[index] ?? '')
            .executeTakeFirst()),
          account_signatures: 0,
        })
        expect(statements.take()).toHaveLength(count + 1) // and the test's own
      }
    },
  )

  test.skipIf(engine !== 'pglite')(
    'behavior: a signature that is sent again and again is found by one statement, while it is the one that is stored',
    async () => {
      const statements = recordStatements(database)
      const { find, hashes, owner } = await createAccountWith([signed])
      const raw = await owner.sign({ hash: hashOf(0) })
      const store = (signature: Hex | null) =>
        database.db
          .updateTable('operations')
          .set(signature === null ? { signature, state: 'built', signed_at: null } : { signature })
          .where('user_op_hash', '=', hashes[0] ?? '')
          .execute()
      await store(concat([times, raw]))
      await find(raw)
      statements.take()
      expect(await find(raw)).toMatchObject({ row: { user_op_hash: hashes[0] }, ownerSignature: raw })
      expect(statements.take()).toHaveLength(1)
      const otherSpelling: Hex = `0x${withV(raw, (v) => v - 27)
        .slice(2)
        .toUpperCase()}`
      expect(await find(otherSpelling)).toMatchObject({ row: { user_op_hash: hashes[0] } })
      expect(statements.take()).toHaveLength(1)
      await expect(find(raw, { network: 1 })).rejects.toMatchObject({ code: 'UNKNOWN_OPERATION' })
      await store(null) // the bundler has refused it
      expect(await find(raw)).toMatchObject({ row: { user_op_hash: hashes[0], signature: null } })
      expect(statements.take().length).toBeGreaterThan(2)
    },
  )

  test('behavior: an operation that another request submits during the search is found', async () => {
    const { find, hashes, owner, meanwhile } = await createAccountWith([
      { built_by: 'other', build_expires_at: new Date(5_000) },
      { built_by: 'other', build_expires_at: new Date(5_000) },
    ])
    const signature = await owner.sign({ hash: hashOf(0) })
    meanwhile(() =>
      database.db
        .updateTable('operations')
        .set({ state: 'submitted', signature: concat([times, signature]), signed_at: now })
        .where('user_op_hash', '=', hashes[0] ?? '')
        .execute(),
    )
    expect(await find(signature)).toMatchObject({
      row: { user_op_hash: hashes[0] },
      ownerSignature: signature,
    })
  })

  test("behavior: a session's retry is found by its bytes, also with the point of a P-256 key", async () => {
    const byPoint: Hex = `0x${'44'.repeat(64)}`
    const byAddress: Hex = `0x${'55'.repeat(64)}1b`
    const budget = { charge: async () => {}, refund: async () => {} }
    const context = { builtBy: 'me', budget, now }
    const session = { sign_mode: 'SESSION_KEY', session_key: '{}' } as const
    const { signing, hashes } = await createAccountWith([
      { ...signed, ...session, signature: concat([times, byPoint, `0x${'66'.repeat(64)}`]) },
      { ...signed, ...session, signature: concat([times, byAddress]) },
    ])
    for (const [index, signature] of [byPoint, byAddress].entries()) {
      expect(await findSignedOperation(signing, sessionKey, signature, {}, context)).toMatchObject({
        row: { user_op_hash: hashes[index] },
        ownerSignature: signature,
      })
    }
  })

  test('behavior: another signature matches a final operation only if its hash is given', async () => {
    const { owner, find, hashes } = await createAccountWith([
      { ...signed, signature: concat([times, `0x${'11'.repeat(65)}`]) },
      { ...signed, final: false, state: 'submitted', signature: concat([times, `0x${'22'.repeat(65)}`]) },
      {},
    ])
    const [final, open, unsigned] = await Promise.all(
      [0, 1, 2].map((index) => owner.sign({ hash: hashOf(index) })),
    )
    if (!final || !open || !unsigned) return expect.unreachable('a signature is missing')
    await expect(find(final)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    expect(await find(final, { userOpHash: hashes[0] })).toMatchObject({ row: { user_op_hash: hashes[0] } })
    expect(await find(open)).toMatchObject({ row: { user_op_hash: hashes[1] } })
    expect(await find(unsigned)).toMatchObject({ row: { user_op_hash: hashes[2] } })
  })

  test('behavior: 32 concurrent searches find their own operations, and one without a match fails alone', async () => {
    const accounts = []
    for (let index = 0; index < 32; index++) {
      const { owner, find, hashes } = await createAccountWith([{ network: 1 }, { network: 2 }])
      const signature = await owner.sign({ hash: hashOf(index % 2) })
      accounts.push({ find, signature, hash: hashes[index % 2] })
    }
    const outcomes = await Promise.allSettled(
      accounts.map(({ find, signature }, index) => find(index === 7 ? wrong : signature)),
    )
    for (const [index, { hash }] of accounts.entries()) {
      expect(outcomes[index]).toMatchObject(
        index === 7
          ? { status: 'rejected', reason: { code: 'INVALID_SIGNATURE' } }
          : { status: 'fulfilled', value: { row: { user_op_hash: hash } } },
      )
    }
  })

  test('behavior: concurrent searches of one account keep their networks, callers and times separate', async () => {
    const { signing, owner, find, hashes } = await createAccountWith([
      { network: 1, built_by: 'me' },
      { network: 2, built_by: 'other' },
    ])
    const [first, second] = await Promise.all([0, 1].map((index) => owner.sign({ hash: hashOf(index) })))
    if (!first || !second) return expect.unreachable('a signature is missing')
    const budget = { charge: async () => {}, refund: async () => {} }
    const later = { builtBy: 'me', budget, now: new Date(now.getTime() + 86_400_000) }
    const outcomes = await Promise.allSettled([
      find(first, { network: 1 }),
      find(first, { network: 2 }),
      find(second, { network: 2 }),
      findSignedOperation(signing, eoa, first, {}, later),
    ])
    expect(outcomes[0]).toMatchObject({ value: { row: { user_op_hash: hashes[0] } } })
    expect(outcomes[1]).toMatchObject({ reason: { code: 'INVALID_SIGNATURE' } })
    expect(outcomes[2]).toMatchObject({ value: { row: { user_op_hash: hashes[1] } } })
    expect(outcomes[3]).toMatchObject({ status: 'rejected' })
  })

  test('error: INVALID_SIGNATURE if all operations are final, UNKNOWN_OPERATION if there are none', async () => {
    const signature: Hex = `0x${'33'.repeat(64)}1b`
    const some = await createAccountWith([{ ...signed, signature: concat([times, `0x${'11'.repeat(65)}`]) }])
    await expect(some.find(signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    await expect(some.find(signature, { network: 5 })).rejects.toMatchObject({ code: 'UNKNOWN_OPERATION' })
  })

  test('behavior: a nonce limits the search to its operations, however long ago they were signed', async () => {
    const { owner, find, hashes } = await createAccountWith([
      ...Array.from({ length: 66 }, (_, index) => ({
        ...signed,
        final: false,
        signed_at: new Date(index),
        signature: concat([times, `0x${'11'.repeat(65)}`]),
      })),
      { nonce_key: 5n, nonce_sequence: 1n },
    ])
    const [oldest, build] = await Promise.all([0, 66].map((index) => owner.sign({ hash: hashOf(index) })))
    if (!oldest || !build) return expect.unreachable('a signature is missing')
    await expect(find(oldest)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    expect(await find(oldest, { nonce: 0n })).toMatchObject({ row: { user_op_hash: hashes[0] } })
    const nonce = (5n << 64n) | 1n
    expect(await find(build, { nonce })).toMatchObject({ row: { user_op_hash: hashes[66] } })
    await expect(find(build, { nonce: 1n })).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    await expect(find(build, { nonce: nonce + 1n })).rejects.toMatchObject({ code: 'UNKNOWN_OPERATION' })
  })

  test('behavior: an expired build is found only by its hash', async () => {
    const { owner, find, hashes } = await createAccountWith([
      { build_expires_at: new Date(now.getTime() - 1) },
      {},
    ])
    const signature = await owner.sign({ hash: hashOf(0) })
    await expect(find(signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    expect(await find(signature, { userOpHash: hashes[0] })).toMatchObject({
      row: { user_op_hash: hashes[0] },
    })
  })

  describe('with builds of other callers', () => {
    const own = { built_by: 'me' }
    const external = Array.from({ length: 300 }, (_, index) => ({ built_by: `other ${index % 20}` }))
    /** Three builds of the caller among three hundred of other callers. */
    const createMixedBuilds = () =>
      createAccountWith([...external.slice(0, 150), own, own, own, ...external.slice(150)])

    test("behavior: the caller's own builds are compared first", async () => {
      const { owner, find, spent } = await createMixedBuilds()
      expect(await find(await owner.sign({ hash: hashOf(151) }))).toMatchObject({ row: { built_by: 'me' } })
      // Two more comparisons than the call itself pays for are charged first and then refunded.
      expect(spent()).toEqual({ charges: [2], left: 0 })
    })

    test('behavior: builds of other callers are compared next, and a match costs nothing', async () => {
      const { owner, find, spent } = await createMixedBuilds()
      for (const index of [0, 302]) {
        const { row } = await find(await owner.sign({ hash: hashOf(index) }))
        expect(row.safe_op_hash).toBe(hashOf(index))
        expect(spent()).toEqual({ charges: [2, 300], left: 0 })
      }
    })

    test('behavior: a signature without a match costs one call per compared build', async () => {
      const { find, spent } = await createMixedBuilds()
      await expect(find(wrong)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
      expect(spent()).toEqual({ charges: [2, 300], left: 302 })
      // A signature that is malformed for one operation is malformed for all.
      await expect(find(slice(wrong, 0, 64))).rejects.toMatchObject({ code: 'SIGNATURE_COMPACT' })
      expect(spent()).toEqual({ charges: [2], left: 0 })
    })

    test.skipIf(engine !== 'pglite')(
      'behavior: a thousand builds of others are read in few statements, and compared in another thread',
      async () => {
        const many = Array.from({ length: 1_024 }, (_, index) => ({ built_by: `other ${index % 20}` }))
        const { find } = await createAccountWith([own, ...many])
        const statements = recordStatements(database)
        const { milliseconds } = await recordCosts(() =>
          expect(find(wrong)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' }),
        )
        // Four full pages and an empty one; the caller's own builds before and after them; how many others there are.
        expect(statements.take()).toHaveLength(8)
        expect(milliseconds).toBeGreaterThan(0)
      },
    )

    test('behavior: a search by hash makes one comparison, which the call pays for', async () => {
      const { owner, find, hashes, spent } = await createMixedBuilds()
      const userOpHash = hashes[5]
      await find(await owner.sign({ hash: hashOf(5) }), { userOpHash })
      await expect(find(wrong, { userOpHash })).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
      expect(spent()).toEqual({ charges: [], left: 0 })
    })

    test('error: RATE_LIMITED stops the comparison', async () => {
      const { owner, find, refuseAfter, spent } = await createMixedBuilds()
      refuseAfter(1)
      const signature = await owner.sign({ hash: hashOf(0) })
      await expect(find(signature)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
      expect(spent()).toEqual({ charges: [2], left: 2 })
    })

    test('behavior: the event loop runs other work between comparisons', async () => {
      const { find } = await createMixedBuilds()
      let turns = 0
      let isOver = false
      const rest = (async () => {
        for (; !isOver; turns++) await setImmediate()
      })()
      const searches = await Promise.allSettled([find(wrong), find(wrong)])
      isOver = true
      await rest
      expect(searches.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      expect(turns).toBeGreaterThan(600)
    })
  })
})
