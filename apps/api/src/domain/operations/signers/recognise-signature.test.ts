import { setImmediate } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, concat, type Hex, hexToBigInt, keccak256, numberToHex, slice } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { recordCosts } from '../../../../test/record-costs.ts'
import { operationRow } from '../../../../test/rows.ts'
import { recogniseSignature, recoverFor, signatureError } from './recognise-signature.ts'

const [owner, later, thirdParty] = [randomPrivateKey(), randomPrivateKey(), randomPrivateKey()].map((key) =>
  privateKeyToAccount(key),
)
if (!owner || !later || !thirdParty) throw new TypeError('The account needs three owners')

const hashOf = (index: number) => keccak256(numberToHex(index))
const rows = [1, 2, 3].map((index) =>
  operationRow({
    safe_op_hash: hashOf(index),
    network: index === 3 ? 2 : 1,
    user_op_hash: numberToHex(index),
  }),
)
const [first, second, third] = rows
const error = (code: string, details: object = { owner: owner.address }) =>
  expect.objectContaining({ code, details })

/** Returns the later owners of a network, and records each request. */
function owning(owners: Readonly<Record<number, readonly Address[]>>) {
  const networksRead: number[] = []
  const laterOwners = async (network: number) => {
    networksRead.push(network)
    return owners[network] ?? []
  }
  return { networksRead, laterOwners }
}

describe('recogniseSignature', () => {
  test.each([
    [1, first],
    [2, second],
    [3, third],
  ])('default: operation %s is recognised', async (index, row) => {
    const signature = await owner.sign({ hash: hashOf(index) })
    expect(await recogniseSignature(rows, { owner: owner.address }, signature)).toEqual({
      row,
      ownerSignature: signature,
      owner: owner.address,
    })
  })

  test('behavior: only builds of third parties are compared in another thread', async () => {
    const signature = await owner.sign({ hash: hashOf(1) })
    const compare = (more: object) =>
      recordCosts(() =>
        recogniseSignature(
          [{ ...operationRow({ safe_op_hash: hashOf(1) }), ...more }],
          { owner: owner.address },
          signature,
        ),
      )
    expect((await compare({ searchedBy: 'address:203.0.113.1' })).milliseconds).toBeGreaterThan(0)
    expect((await compare({})).milliseconds).toBe(0)
  })

  test('behavior: builds of third parties are not compared with the text of the hash, which would take as long again', async () => {
    const hash = hashOf(1)
    const signature = await owner.signMessage({ message: hash })
    const compare = (more: object) =>
      recoverFor({ ...operationRow({ safe_op_hash: hash }), ...more }, owner.address, signature)
    expect(await compare({})).toMatchObject({ code: 'TEXT_SIGNED' })
    expect(await compare({ searchedBy: 'address:203.0.113.1' })).toMatchObject({ code: 'WRONG_SIGNER' })
  })

  test('behavior: a personal_sign signature becomes the form that the Safe accepts', async () => {
    const signature = await owner.signMessage({ message: { raw: hashOf(2) } })
    const v = hexToBigInt(slice(signature, 64)) + 4n
    expect(await recogniseSignature(rows, { owner: owner.address }, signature)).toEqual({
      row: second,
      ownerSignature: concat([slice(signature, 0, 64), numberToHex(v, { size: 1 })]),
      owner: owner.address,
    })
  })

  test('behavior: if two operations have the same hash, the first one wins', async () => {
    const twice = [operationRow({ safe_op_hash: hashOf(1), user_op_hash: '0x77' }), ...rows]
    const signature = await owner.sign({ hash: hashOf(1) })
    expect(await recogniseSignature(twice, { owner: owner.address }, signature)).toMatchObject({
      row: { user_op_hash: '0x77' },
    })
  })

  test('behavior: later owners match only on the networks where they are owners', async () => {
    const signature = await later.sign({ hash: hashOf(3) })
    const known = owning({ 1: [thirdParty.address], 2: [thirdParty.address, later.address] })
    expect(
      await recogniseSignature(rows, { owner: owner.address, laterOwners: known.laterOwners }, signature),
    ).toMatchObject({ row: third })
    // Each network is read once, regardless of the number of its operations.
    expect(known.networksRead).toEqual([1, 2])
    const elsewhere = owning({ 1: [later.address] })
    await expect(
      recogniseSignature(rows, { owner: owner.address, laterOwners: elsewhere.laterOwners }, signature),
    ).rejects.toThrow(error('INVALID_SIGNATURE'))
  })

  test('behavior: later owners are not read if the first one signed', async () => {
    const known = owning({})
    const signature = await owner.sign({ hash: hashOf(1) })
    await recogniseSignature(rows, { owner: owner.address, laterOwners: known.laterOwners }, signature)
    expect(known.networksRead).toEqual([])
  })

  test('behavior: an account without a first EOA owner needs its later owners', async () => {
    const signature = await later.sign({ hash: hashOf(1) })
    const known = owning({ 1: [later.address] })
    expect(await recogniseSignature(rows, { laterOwners: known.laterOwners }, signature)).toMatchObject({
      row: first,
    })
    await expect(recogniseSignature(rows, {}, signature)).rejects.toThrow(error('INVALID_SIGNATURE', {}))
    await expect(
      recogniseSignature(rows, { laterOwners: owning({}).laterOwners }, signature),
    ).rejects.toThrow(error('INVALID_SIGNATURE', {}))
  })

  test('error: INVALID_SIGNATURE for a third party, or without operations', async () => {
    const signature = await thirdParty.sign({ hash: hashOf(1) })
    await expect(recogniseSignature(rows, { owner: owner.address }, signature)).rejects.toThrow(
      error('INVALID_SIGNATURE'),
    )
    await expect(recogniseSignature([], { owner: owner.address }, signature)).rejects.toThrow(
      error('INVALID_SIGNATURE'),
    )
  })

  test('error: a specific error takes precedence over "another signer" for any operation', async () => {
    for (const index of [1, 2, 3]) {
      const signature = await owner.signMessage({ message: hashOf(index) })
      const known = owning({ 1: [later.address] })
      await expect(
        recogniseSignature(rows, { owner: owner.address, laterOwners: known.laterOwners }, signature),
      ).rejects.toThrow(error('SIGNATURE_OVER_TEXT'))
      // No additional owner could correct the signature.
      expect(known.networksRead).toEqual([])
    }
    const byLater = await later.signMessage({ message: hashOf(2) })
    const known = owning({ 1: [later.address, thirdParty.address], 2: [thirdParty.address] })
    await expect(
      recogniseSignature(rows, { owner: owner.address, laterOwners: known.laterOwners }, byLater),
    ).rejects.toThrow(error('SIGNATURE_OVER_TEXT'))
  })

  test.each<[string, (signature: Hex) => Hex]>([
    ['SIGNATURE_COMPACT', (signature) => slice(signature, 0, 64)],
    [
      'SIGNATURE_MALLEABLE',
      (signature) => {
        const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
        const high = numberToHex(order - hexToBigInt(slice(signature, 32, 64)), { size: 32 })
        return concat([slice(signature, 0, 32), high, slice(signature, 64)])
      },
    ],
    ['INVALID_SIGNATURE', (signature) => slice(signature, 0, 63)],
  ])('error: %s', async (code, change) => {
    const signature = change(await owner.sign({ hash: hashOf(1) }))
    await expect(recogniseSignature(rows, { owner: owner.address }, signature)).rejects.toThrow(error(code))
  })
})

describe('recoverFor', () => {
  test('behavior: the event loop runs between two comparisons that wait together', async () => {
    const signature = await owner.sign({ hash: hashOf(2) })
    const done: unknown[] = []
    const other = (async () => {
      for (let turn = 0; turn < 3; turn++) {
        await setImmediate()
        done.push('other')
      }
    })()
    const results = await Promise.all(rows.map((row) => recoverFor(row, owner.address, signature)))
    done.push('compared')
    await other
    expect(results.map(({ ok }) => ok)).toEqual([false, true, false])
    expect(done).toEqual(['other', 'other', 'other', 'compared'])
  })
})

describe('signatureError', () => {
  test('behavior: only malformed signatures have a specific message', () => {
    const malformed = signatureError({ ok: false, code: 'MALFORMED', message: 'It is 63 bytes long.' })
    expect(malformed).toMatchObject({
      code: 'INVALID_SIGNATURE',
      message: 'It is 63 bytes long.',
      details: {},
    })
    const compact = signatureError({ ok: false, code: 'COMPACT', message: 'ours' })
    expect(compact.message).toBe(new LanyardError('SIGNATURE_COMPACT').message)
  })
})
