import { setImmediate } from 'node:timers/promises'
import { createEoaAccount, type OperationRow } from '@lanyard/database'
import { describeEachEngine, freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { concat, type Hex, hexToNumber, keccak256, numberToHex, slice } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationRow } from '../../test/rows.ts'
import { findSessionOperation } from '../session-keys/find-session-operation.ts'
import { findSignedOperation } from './find-signed-operation.ts'

const hashOf = (index: number) => keccak256(numberToHex(index))
const withV = (signature: Hex, change: (v: number) => number) =>
  concat([slice(signature, 0, 64), numberToHex(change(hexToNumber(slice(signature, 64))), { size: 1 })])
const times: Hex = `0x${'00'.repeat(12)}`

describeEachEngine('findSignedOperation', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase(engine)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  let accounts = 0
  /** An account with operations, of which each says what it differs in. */
  async function accountWith(rows: readonly Partial<OperationRow>[]) {
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
    const find = (signature: Hex, name = {}) =>
      findSignedOperation(database.db, { address, owner: owner.address }, signature, name)
    return { address, owner, find, hashes: values.map(({ user_op_hash }) => user_op_hash) }
  }
  const signed = { state: 'dropped', final: true, signed_at: new Date(0) } as const

  test('behavior: a retry is found by its bytes, however its v is written', async () => {
    const owner = privateKeyToAccount(randomPrivateKey())
    const raw = await owner.sign({ hash: hashOf(0) })
    const personal = await owner.signMessage({ message: { raw: hashOf(1) } })
    const forSafe = withV(personal, (v) => v + 4)
    // The account's owner is another one: nothing that is recovered could be his.
    const { find, hashes } = await accountWith([
      { ...signed, signature: concat([times, raw]) },
      { ...signed, signature: concat([times, forSafe]) },
    ])
    for (const form of [raw, withV(raw, (v) => v - 27), raw.toUpperCase().replace('0X', '0x') as Hex]) {
      expect(await find(form)).toMatchObject({ row: { user_op_hash: hashes[0] }, ownerSignature: raw })
    }
    for (const form of [personal, forSafe, withV(personal, (v) => v - 27)]) {
      expect(await find(form)).toMatchObject({ row: { user_op_hash: hashes[1] }, ownerSignature: forSafe })
    }
    // Said to be prefixed, it is another signature.
    await expect(find(withV(raw, (v) => v + 4))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
  })

  test("behavior: so is a session's, which ends with the signature, and with the point of a P-256 key", async () => {
    const byPoint: Hex = `0x${'44'.repeat(64)}`
    const byAddress: Hex = `0x${'55'.repeat(64)}1b`
    const session = { sign_mode: 'SESSION_KEY', session_key: '{}' } as const
    const { address, hashes } = await accountWith([
      { ...signed, ...session, signature: concat([times, byPoint, `0x${'66'.repeat(64)}`]) },
      { ...signed, ...session, signature: concat([times, byAddress]) },
    ])
    for (const [index, signature] of [byPoint, byAddress].entries()) {
      expect(await findSessionOperation(database.db, address, signature, {})).toMatchObject({
        row: { user_op_hash: hashes[index] },
        ownerSignature: signature,
      })
    }
  })

  test('behavior: of what is signed and final, another signature is tried by its hash alone', async () => {
    const { owner, find, hashes } = await accountWith([
      { ...signed, signature: concat([times, `0x${'11'.repeat(65)}`]) },
      { ...signed, final: false, state: 'submitted', signature: concat([times, `0x${'22'.repeat(65)}`]) },
      { state: 'expired', final: true },
    ])
    const [final, open, unsigned] = await Promise.all(
      [0, 1, 2].map((index) => owner.sign({ hash: hashOf(index) })),
    )
    if (!final || !open || !unsigned) return expect.unreachable('there are three')
    await expect(find(final)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    expect(await find(final, { userOpHash: hashes[0] })).toMatchObject({ row: { user_op_hash: hashes[0] } })
    expect(await find(open)).toMatchObject({ row: { user_op_hash: hashes[1] } })
    expect(await find(unsigned)).toMatchObject({ row: { user_op_hash: hashes[2] } })
  })

  test('error: INVALID_SIGNATURE where all is final, UNKNOWN_OPERATION where there is nothing', async () => {
    const signature: Hex = `0x${'33'.repeat(64)}1b`
    const some = await accountWith([{ ...signed, signature: concat([times, `0x${'11'.repeat(65)}`]) }])
    await expect(some.find(signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    await expect(some.find(signature, { network: 5 })).rejects.toMatchObject({ code: 'UNKNOWN_OPERATION' })
  })

  test('behavior: a signature of nothing holds nobody up', async () => {
    const { find } = await accountWith(
      Array.from({ length: 300 }, () => ({ state: 'expired' as const, final: true })),
    )
    let turns = 0
    let isOver = false
    const others = (async () => {
      for (; !isOver; turns++) await setImmediate()
    })()
    const searches = await Promise.allSettled(
      Array.from({ length: 2 }, () => find(`0x${'11'.repeat(32)}${'22'.repeat(32)}1b`)),
    )
    isOver = true
    await others
    expect(searches.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    // Whatever else there is to do has its turn after each of the 128 operations of either.
    expect(turns).toBeGreaterThan(200)
  })
})
