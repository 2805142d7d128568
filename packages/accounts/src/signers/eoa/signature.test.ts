// @promise 9
import { concat, type Hex, hexToBigInt, keccak256, numberToHex, parseSignature, size, slice } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { recoverOwnerSignature } from './signature.ts'

// PUBLIC: anvil's first two keys.
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const thirdParty = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const owner = account.address

// One hash for each parity, in both forms.
const hashes = (['0x01', '0x02', '0x03', '0x04'] as const).map((seed) => keccak256(seed))
const raw = (hash: Hex) => account.sign({ hash })
const personal = (hash: Hex) => account.signMessage({ message: { raw: hash } })

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const withNumbers = ({ r, s }: { r: bigint; s: bigint }): Hex =>
  concat([numberToHex(r, { size: 32 }), numberToHex(s, { size: 32 }), '0x1b'])

function withV(signature: Hex, change: (v: number) => number): Hex {
  const v = Number(hexToBigInt(slice(signature, 64)))
  return concat([slice(signature, 0, 64), numberToHex(change(v), { size: 1 })])
}

describe.each(hashes)('recoverOwnerSignature: %s', (hash) => {
  test('default', async () => {
    const signature = await raw(hash)
    expect(await recoverOwnerSignature({ hash, owner, signature })).toEqual({
      ok: true,
      form: 'digest',
      signature,
    })
  })

  test('behavior: personal_sign', async () => {
    const signature = await personal(hash)
    const encoded = withV(signature, (v) => v + 4)
    const expected = { ok: true, form: 'personal_sign', signature: encoded }
    expect(await recoverOwnerSignature({ hash, owner, signature })).toEqual(expected)
    expect(await recoverOwnerSignature({ hash, owner, signature: encoded })).toEqual(expected)
  })

  test('behavior: accepts v of 0 and 1', async () => {
    for (const signature of [await raw(hash), await personal(hash)])
      expect(
        await recoverOwnerSignature({ hash, owner, signature: withV(signature, (v) => v - 27) }),
      ).toEqual(await recoverOwnerSignature({ hash, owner, signature }))
  })

  test('behavior: accepts an owner in lower case', async () => {
    const lower: Hex = `0x${owner.slice(2).toLowerCase()}`
    expect(await recoverOwnerSignature({ hash, owner: lower, signature: await raw(hash) })).toMatchObject({
      ok: true,
    })
  })

  test('error: COMPACT', async () => {
    const { r, s, yParity } = parseSignature(await raw(hash))
    const compact = concat([r, numberToHex(hexToBigInt(s) | (BigInt(yParity) << 255n), { size: 32 })])
    expect(size(compact)).toBe(64)
    expect(await recoverOwnerSignature({ hash, owner, signature: compact })).toMatchObject({
      code: 'COMPACT',
    })
  })

  test('error: MALLEABLE', async () => {
    const { r, s, yParity } = parseSignature(await raw(hash))
    const high = concat([
      r,
      numberToHex(order - hexToBigInt(s), { size: 32 }),
      numberToHex(28 - yParity, { size: 1 }),
    ])
    expect(await recoverOwnerSignature({ hash, owner, signature: high })).toMatchObject({ code: 'MALLEABLE' })
  })

  test('error: TEXT_SIGNED', async () => {
    const signature = await account.signMessage({ message: hash })
    expect(await recoverOwnerSignature({ hash, owner, signature })).toMatchObject({ code: 'TEXT_SIGNED' })
  })

  test('error: WRONG_SIGNER', async () => {
    const signature = await thirdParty.sign({ hash })
    expect(await recoverOwnerSignature({ hash, owner, signature })).toMatchObject({
      code: 'WRONG_SIGNER',
      recovered: { digest: thirdParty.address },
    })
    const prefixed = await thirdParty.signMessage({ message: { raw: hash } })
    expect(await recoverOwnerSignature({ hash, owner, signature: prefixed })).toMatchObject({
      code: 'WRONG_SIGNER',
      recovered: { personal_sign: thirdParty.address },
    })
  })

  test('error: WRONG_SIGNER, a raw signature marked as prefixed', async () => {
    const signature = withV(await raw(hash), (v) => v + 4)
    expect(await recoverOwnerSignature({ hash, owner, signature })).toMatchObject({
      code: 'WRONG_SIGNER',
      recovered: { digest: undefined },
    })
  })

  test('error: WRONG_SIGNER, a signature that no key can produce', async () => {
    // No point of secp256k1 has x = 5.
    const signature = withNumbers({ r: 5n, s: 1n })
    expect(await recoverOwnerSignature({ hash, owner, signature })).toMatchObject({
      code: 'WRONG_SIGNER',
      recovered: { digest: undefined, personal_sign: undefined },
    })
  })

  test('behavior: accepts the largest s that is not malleable', async () => {
    const signature = withNumbers({ r: 1n, s: order / 2n })
    expect(await recoverOwnerSignature({ hash, owner, signature })).toMatchObject({ code: 'WRONG_SIGNER' })
    const above = withNumbers({ r: 1n, s: order / 2n + 1n })
    expect(await recoverOwnerSignature({ hash, owner, signature: above })).toMatchObject({
      code: 'MALLEABLE',
    })
  })

  test('error: MALFORMED', async () => {
    const signature = await raw(hash)
    const malformed: readonly Hex[] = [
      '0x',
      `${signature}00`,
      `0x${signature.slice(2, -1)}`,
      `0x${signature.slice(2, -2)}zz`,
      withV(signature, () => 29),
      concat([slice(signature, 0, 32), numberToHex(0, { size: 32 }), '0x1b']),
      concat([`0x${'ff'.repeat(32)}`, slice(signature, 32)]),
      `0x0x${'ab'.repeat(63)}1b`,
      withNumbers({ r: 0n, s: 1n }),
      withNumbers({ r: order, s: 1n }),
      withNumbers({ r: 1n, s: order }),
      withNumbers({ r: 1n, s: 2n ** 256n - 1n }),
    ]
    for (const candidate of malformed)
      expect(await recoverOwnerSignature({ hash, owner, signature: candidate })).toMatchObject({
        code: 'MALFORMED',
      })
  })
})
