import { encodeAbiParameters, keccak256, parseAbiParameters } from 'viem'
import { describe, expect, test } from 'vitest'
import { sessionNonceKey } from './session.ts'
import { encodeP256Key, sessionKeyId } from './session-key.ts'

const largest = 2n ** 256n - 1n

describe('sessionKeyId', () => {
  test('default', () => {
    expect(sessionKeyId('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')).toBe(
      `0x${'00'.repeat(12)}70997970c51812dc3a010c7d01b50e0d17dc79c8`,
    )
  })

  test('args: a P-256 key', () => {
    const idOf = (x: bigint, y: bigint) =>
      keccak256(encodeAbiParameters(parseAbiParameters('uint256, uint256'), [x, y]))
    expect(sessionKeyId({ x: 1n, y: 2n })).toBe(idOf(1n, 2n))
    expect(sessionKeyId({ x: 0n, y: largest })).toBe(idOf(0n, largest))
  })

  test.each([
    [-1n, 1n],
    [1n, -1n],
    [largest + 1n, 1n],
    [1n, largest + 1n],
  ])('error: OUT_OF_RANGE, %s and %s', (x, y) => {
    const error = expect.objectContaining({ name: 'SessionKeysError', code: 'OUT_OF_RANGE' })
    expect(() => sessionKeyId({ x, y })).toThrow(error)
    expect(() => encodeP256Key({ x, y })).toThrow(error)
  })
})

test('encodeP256Key', () => {
  expect(encodeP256Key({ x: 1n, y: 2n })).toBe(`0x${'1'.padStart(64, '0')}${'2'.padStart(64, '0')}`)
})

test('sessionNonceKey: uses the lower 192 bits', () => {
  expect(sessionNonceKey(`0x${'ff'.repeat(8)}${'00'.repeat(23)}07`)).toBe(7n)
  expect(sessionNonceKey(`0x${'ff'.repeat(32)}`)).toBe(2n ** 192n - 1n)
})
