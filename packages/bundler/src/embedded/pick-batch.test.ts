import type { SignedUserOperation } from '@lanyard/accounts'
import { randomAddress } from '@lanyard/testing'
import { type Address, concat, type Hex, keccak256, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { pickBatch } from './pick-batch.ts'
import type { WaitingOperation } from './waiting-operations.ts'

function waiting({
  paymaster,
  reverts = 0,
}: {
  paymaster?: Address
  reverts?: number
} = {}): WaitingOperation {
  const operation: SignedUserOperation = {
    sender: randomAddress(),
    nonce: 0n,
    initCode: '0x',
    callData: '0x',
    callGasLimit: 100_000n,
    verificationGasLimit: 100_000n,
    preVerificationGas: 50_000n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    // Two gas limits of 16 bytes follow the address.
    paymasterAndData: paymaster ? concat([paymaster, zeroHash]) : '0x',
    signature: '0x',
  }
  const hash: Hex = keccak256(operation.sender)
  const read = { signedAt: new Date(0), signedAtBlock: undefined, attempts: 0, version: '1' }
  return { hash, operation, ...read, reverts }
}

const own = [waiting(), waiting()]
const sponsored = waiting({ paymaster: randomAddress() })
const reverted = waiting({ paymaster: randomAddress(), reverts: 1 })

/** The operations picked at each of eight turns. */
const turns = (all: readonly WaitingOperation[]) =>
  Array.from({ length: 8 }, (_, turn) => {
    const limits = { most: 32, beneficiary: randomAddress(), l1Fee: undefined, ownPaymaster: undefined, turn }
    const [first] = pickBatch(all, limits)
    if (first === sponsored) return 'sponsored'
    return first === reverted ? 'reverted' : 'own'
  })

test('default: operations without a third-party paymaster share a bundle', () => {
  const limits = {
    most: 32,
    beneficiary: randomAddress(),
    l1Fee: undefined,
    ownPaymaster: undefined,
    turn: 3,
  }
  expect(pickBatch(own, limits)).toHaveLength(2)
})

test('behavior: every fourth turn goes to third-party paymasters and reverted operations, alternating', () => {
  expect(turns([...own, sponsored, reverted])).toEqual([
    ...['own', 'own', 'own', 'sponsored'],
    ...['own', 'own', 'own', 'reverted'],
  ])
})

test('behavior: they get every turn while nothing else waits', () => {
  expect(turns([sponsored, reverted])).toEqual([
    ...['sponsored', 'sponsored', 'sponsored', 'sponsored'],
    ...['reverted', 'reverted', 'reverted', 'reverted'],
  ])
})
