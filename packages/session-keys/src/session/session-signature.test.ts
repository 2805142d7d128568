import { type Call, encodeCalls } from '@lanyard/accounts'
import { type Address, type Hex, size, slice } from 'viem'
import { describe, expect, test } from 'vitest'
import { encodeSessionExecute } from '../calls.ts'
import { encodeP256Key, type SessionKey, sessionKeyId } from './session-key.ts'
import { encodeSessionSignature, stubSessionSignature } from './session-signature.ts'

const sessionKeys: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const other: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const address: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const point = { x: 1n, y: 2n }
const calls: readonly Call[] = [{ to: other, value: 3n, data: '0x1234' }]
const ecdsa: Hex = `0x${'e1'.repeat(32)}${'e2'.repeat(32)}1b`
const p256: Hex = `0x${'f1'.repeat(32)}${'f2'.repeat(32)}`

const uint = (value: bigint | number, bytes: number) => value.toString(16).padStart(2 * bytes, '0')

const operationOf = (key: SessionKey, made = [encodeSessionExecute({ sessionKeys, key, calls })]) => ({
  nonce: (7n << 64n) + 8n,
  callData: encodeCalls(made),
  callGasLimit: 9n,
  verificationGasLimit: 10n,
  preVerificationGas: 11n,
  maxFeePerGas: 12n,
  maxPriorityFeePerGas: 13n,
  paymasterAndData: '0xabcdef' as Hex,
})

const encode = (key: SessionKey, signature: Hex, operation = operationOf(key)) =>
  encodeSessionSignature({ operation, validAfter: 14, validUntil: 15, sessionKeys, key, signature })

/** The layout of SessionSignature.sol, member by member, inside a Safe's contract signature. */
function expected(key: SessionKey, keySignature: string): Hex {
  const args = encodeSessionExecute({ sessionKeys, key, calls }).data.slice(2 + 8 + 64)
  const inner = [
    sessionKeyId(key).slice(2),
    uint(8, 8), // the sequence, without the nonce key
    uint(14, 6),
    uint(15, 6),
    uint(10, 16),
    uint(9, 16),
    uint(11, 16),
    uint(13, 16),
    uint(12, 16),
    uint(args.length / 2, 4),
    args,
    uint(3, 4),
    'abcdef',
    keySignature,
  ].join('')
  const contractSignature = [
    uint(BigInt(sessionKeys), 32),
    uint(65, 32),
    '00',
    uint(inner.length / 2, 32),
    inner,
  ]
  return `0x${uint(14, 6)}${uint(15, 6)}${contractSignature.join('')}`
}

describe('encodeSessionSignature', () => {
  test('default', () => {
    expect(encode(address, ecdsa)).toBe(expected(address, ecdsa.slice(2)))
  })

  test('args: a P-256 key is included', () => {
    expect(encode(point, p256)).toBe(expected(point, `${p256.slice(2)}${encodeP256Key(point).slice(2)}`))
  })

  const execute = encodeSessionExecute({ sessionKeys, key: address, calls })
  test.each<[string, readonly Call[]]>([
    ['no call', []],
    ['another contract', [{ ...execute, to: other }]],
    ['value', [{ ...execute, value: 1n }]],
    ['another key', [encodeSessionExecute({ sessionKeys, key: other, calls })]],
    ['another function', [{ ...execute, data: `0x12345678${execute.data.slice(10)}` }]],
    ['another call after it', [execute, ...calls]],
    ['another call before it', [...calls, execute]],
  ])('error: NOT_A_SESSION_OPERATION, %s', (_, made) => {
    expect(() => encode(address, ecdsa, operationOf(address, [...made]))).toThrow(
      expect.objectContaining({ code: 'NOT_A_SESSION_OPERATION' }),
    )
  })

  test("error: NOT_A_SESSION_OPERATION, not an account's calldata", () => {
    expect(() => encode(address, ecdsa, { ...operationOf(address), callData: '0x12345678' })).toThrow(
      expect.objectContaining({ code: 'NOT_A_SESSION_OPERATION' }),
    )
  })

  test.each<[SessionKey, Hex, string]>([
    [address, p256, '65 bytes'],
    [address, `${ecdsa}00`, '65 bytes'],
    [point, ecdsa, '64 bytes'],
    [point, '0x', '64 bytes'],
  ])('error: MALFORMED, %o with %s', (key, signature, message) => {
    expect(() => encode(key, signature)).toThrow(
      expect.objectContaining({ code: 'MALFORMED', message: expect.stringContaining(message) }),
    )
  })
})

describe('stubSessionSignature', () => {
  test.each<[string, SessionKey, Hex]>([
    ['an address', address, ecdsa],
    ['a P-256 key', point, p256],
  ])('behavior: for %s, differs from the real one only in r, s and v', (_, key, signature) => {
    const stub = stubSessionSignature({
      operation: operationOf(key),
      validAfter: 14,
      validUntil: 15,
      sessionKeys,
      key,
    })
    const real = encode(key, signature)
    expect(size(stub)).toBe(size(real))
    const end = key === point ? size(real) - 64 : size(real)
    const start = end - size(signature)
    expect(slice(stub, 0, start)).toBe(slice(real, 0, start))
    expect(stub.slice(2 + 2 * end)).toBe(real.slice(2 + 2 * end))
    expect(slice(stub, start, end)).not.toBe(slice(real, start, end))
    // r, and a low s, in the range of the curve: otherwise it would be rejected early, at a lower cost.
    expect(slice(stub, start, start + 64)).toBe(`0x${'ec'.repeat(32)}${'5c'.repeat(32)}`)
    expect(stub.slice(2 + 2 * (start + 64), 2 + 2 * end)).toBe(key === point ? '' : '1c')
  })
})
