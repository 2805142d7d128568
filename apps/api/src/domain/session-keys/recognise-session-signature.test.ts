import { encodeCalls, toWireUserOperation } from '@lanyard/accounts'
import { encodeSessionExecute, encodeSessionSignature, type SessionKey } from '@lanyard/session-keys'
import { randomPrivateKey } from '@lanyard/testing'
import {
  type Address,
  bytesToHex,
  concat,
  type Hex,
  hexToBigInt,
  hexToBytes,
  keccak256,
  slice,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { operationRow } from '../../../test/rows.ts'
import { isOnCurve } from './p256.ts'
import { recogniseSessionSignature, sessionKey } from './recognise-session-signature.ts'
import { fromStoredSession } from './stored-session.ts'

const sessionKeys: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const ecdsa = privateKeyToAccount(randomPrivateKey())
const thirdParty = privateKeyToAccount(randomPrivateKey())

async function p256Key() {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ])
  const point = bytesToHex(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
  return {
    key: { x: hexToBigInt(slice(point, 1, 33)), y: hexToBigInt(slice(point, 33)) },
    sign: async (hash: Hex): Promise<Hex> => {
      const scheme = { name: 'ECDSA', hash: 'SHA-256' }
      return bytesToHex(
        new Uint8Array(await crypto.subtle.sign(scheme, pair.privateKey, new Uint8Array(hexToBytes(hash)))),
      )
    },
  }
}
let p256: Awaited<ReturnType<typeof p256Key>>
beforeAll(async () => {
  p256 = await p256Key()
})

const stored = (key: SessionKey) => ({
  sessionKeys,
  key: typeof key === 'string' ? key : { x: toHex(key.x), y: toHex(key.y) },
})
const hashOf = (index: number) => keccak256(toHex(index))
const rowOf = (index: number, key: SessionKey) =>
  operationRow({
    user_op_hash: toHex(index),
    sign_mode: 'SESSION_KEY',
    safe_op_hash: hashOf(index),
    session_key: stored(key),
  })
const error = (code: string, message = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(message) })

describe('recogniseSessionSignature', () => {
  test('default: finds the operation whose key signed', async () => {
    const rows = [rowOf(1, thirdParty.address), rowOf(2, p256.key), rowOf(3, ecdsa.address)]
    const signature = await ecdsa.sign({ hash: hashOf(3) })
    expect(await recogniseSessionSignature(rows, signature)).toEqual({
      row: rows[2],
      ownerSignature: signature,
    })
    const other = await p256.sign(hashOf(2))
    expect(await recogniseSessionSignature(rows, other)).toEqual({ row: rows[1], ownerSignature: other })
  })

  test('behavior: v of 0 or 1 becomes 27 or 28, which the contract accepts', async () => {
    const signature = await ecdsa.sign({ hash: hashOf(1) })
    const low = concat([slice(signature, 0, 64), toHex(hexToBigInt(slice(signature, 64)) - 27n, { size: 1 })])
    expect(await recogniseSessionSignature([rowOf(1, ecdsa.address)], low)).toMatchObject({
      ownerSignature: signature,
    })
  })

  test('error: INVALID_SIGNATURE for personal_sign with either v', async () => {
    // Signatures are deterministic (RFC 6979). The first four signatures of this key have both values of v.
    const known = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const seen = new Set<Hex>()
    for (const index of [1, 2, 3, 4]) {
      const signature = await known.signMessage({ message: { raw: hashOf(index) } })
      seen.add(slice(signature, 64))
      await expect(recogniseSessionSignature([rowOf(index, known.address)], signature)).rejects.toThrow(
        error('INVALID_SIGNATURE', 'without the prefix of personal_sign'),
      )
    }
    expect([...seen].toSorted()).toEqual(['0x1b', '0x1c'])
  })

  test('error: INVALID_SIGNATURE for another key or other data', async () => {
    const plain = 'The signature'
    for (const [key, signature] of [
      [ecdsa.address, await thirdParty.sign({ hash: hashOf(1) })],
      [p256.key, await p256.sign(hashOf(2))],
      [p256.key, await (await p256Key()).sign(hashOf(1))],
      // These coordinates are not a point on the curve.
      [{ x: 1n, y: 1n }, await p256.sign(hashOf(1))],
      [{ x: 2n ** 256n, y: 1n }, await p256.sign(hashOf(1))],
    ] as const)
      await expect(recogniseSessionSignature([rowOf(1, key)], signature)).rejects.toThrow(
        error('INVALID_SIGNATURE'),
      )
    await expect(recogniseSessionSignature([], await p256.sign(hashOf(1)))).rejects.toThrow(
      error('INVALID_SIGNATURE', plain),
    )
  })

  test('error: INVALID_SIGNATURE for 65 bytes of a P-256 key', async () => {
    const signature: Hex = `${await p256.sign(hashOf(1))}1b`
    await expect(recogniseSessionSignature([rowOf(1, p256.key)], signature)).rejects.toThrow(
      error('INVALID_SIGNATURE', 'has 64 bytes'),
    )
  })

  test('error: a specific error takes precedence over INVALID_SIGNATURE for any operation', async () => {
    const text = await ecdsa.signMessage({ message: hashOf(2) })
    const rows = [rowOf(1, ecdsa.address), rowOf(2, ecdsa.address), rowOf(3, ecdsa.address)]
    await expect(recogniseSessionSignature(rows, text)).rejects.toThrow(error('SIGNATURE_OVER_TEXT'))
    const compact = slice(await ecdsa.sign({ hash: hashOf(1) }), 0, 64)
    await expect(recogniseSessionSignature(rows, compact)).rejects.toThrow(error('SIGNATURE_COMPACT'))
  })
})

test('sessionKey.encode', async () => {
  const calls = [{ to: sessionKeys, value: 0n, data: '0x' }] as const
  const operation = {
    sender: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    nonce: 1n,
    initCode: '0x',
    callData: encodeCalls([encodeSessionExecute({ sessionKeys, key: ecdsa.address, calls })]),
    callGasLimit: 2n,
    verificationGasLimit: 3n,
    preVerificationGas: 4n,
    maxFeePerGas: 5n,
    maxPriorityFeePerGas: 6n,
    paymasterAndData: '0x',
  } as const
  const row = operationRow({
    sign_mode: 'SESSION_KEY',
    user_op: toWireUserOperation(operation),
    valid_after: 7,
    valid_until: 8,
    session_key: stored(ecdsa.address),
  })
  const signature = await ecdsa.sign({ hash: hashOf(1) })
  expect(sessionKey.encode(row, signature)).toBe(
    encodeSessionSignature({
      operation,
      validAfter: 7,
      validUntil: 8,
      sessionKeys,
      key: ecdsa.address,
      signature,
    }),
  )
})

test('fromStoredSession', () => {
  expect(fromStoredSession(rowOf(1, p256.key))).toEqual({ sessionKeys, key: p256.key })
  expect(fromStoredSession(rowOf(1, ecdsa.address))).toEqual({ sessionKeys, key: ecdsa.address })
  expect(() => fromStoredSession(operationRow({ user_op_hash: '0x77' }))).toThrow(
    expect.objectContaining({ code: 'INTERNAL', cause: expect.stringContaining('0x77') }),
  )
})

/** 379 and 43 times the generator: x of the first point and y of the second start with a zero byte. */
const shortPoints = [
  {
    x: 0x5543894af3d00ed7d740abdbd75c96b06877b787db5f70eea78b90a8d7c00an,
    y: 0xbb4c85a3d8ea29efaafa24406912dd84d5b14dc32bf656ef6c6bd58a5d943f92n,
  },
  {
    x: 0x986ae2506f1ff104d04230861d8f4b498f4bc4c6d009b30f7544dc129b82d28dn,
    y: 0x3cccc0a6460e0ae328a4d97d3c7b61d86fc6289c189f2525110c441bb07e97n,
  },
]

test('isOnCurve', async () => {
  expect(await isOnCurve(p256.key)).toBe(true)
  for (const point of shortPoints) expect(await isOnCurve(point)).toBe(true)
  expect(await isOnCurve({ ...p256.key, y: p256.key.y ^ 1n })).toBe(false)
  expect(await isOnCurve({ x: 2n ** 256n, y: 1n })).toBe(false)
})
