import { encodePacked, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { signerId } from './signer-id.ts'

describe('signerId', () => {
  test('default', () => {
    expect(signerId({ kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })).toBe(
      `0x${'00'.repeat(12)}70997970c51812dc3a010c7d01b50e0d17dc79c8`,
    )
  })

  test('args: a passkey', () => {
    expect(signerId({ kind: 'passkey', x: 1n, y: 2n, verifiers: 3n })).toBe(
      keccak256(encodePacked(['uint256', 'uint256', 'uint176'], [1n, 2n, 3n])),
    )
  })

  test('error: MALFORMED', () => {
    expect(() => signerId({ kind: 'eoa', address: '0x1234' })).toThrow(
      expect.objectContaining({ code: 'MALFORMED', details: { field: 'signer.address', bytes: 20 } }),
    )
  })
})
