import { type Call, encodeCalls, requiredPrefund, type UserOperation } from '@lanyard/accounts'
import { parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import { draftOperation, toTransactionOptions } from '../../test/propose-operation.ts'
import { verifyOperation } from './verify-operation.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const chainId = 31337
const calls: readonly Call[] = [
  { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: parseEther('0.5'), data: '0x' },
]
const operation = draftOperation(account, calls)

const propose = (changed: Partial<UserOperation> = {}, signed = operation) =>
  toTransactionOptions({ ...operation, ...changed }, chainId, signed)

const codeOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  return 'accepted'
}

describe('verifyOperation', () => {
  const expected = { account, chainId, calls } as const

  test('default', () => {
    expect(verifyOperation(propose(), expected)).toMatchObject({
      calls,
      maxFee: requiredPrefund(operation),
      deploysAccount: false,
    })
  })

  // The client's own tests cover each field.
  test('error: HASH_DIFFERS', () => {
    expect(codeOf(() => verifyOperation(propose({ nonce: 1n }), expected))).toBe('HASH_DIFFERS')
  })

  test('error: NONCE_DIFFERS if it would not take the place of another operation', () => {
    expect(codeOf(() => verifyOperation(propose(), { ...expected, nonce: 1n }))).toBe('NONCE_DIFFERS')
    expect(verifyOperation(propose(), { ...expected, nonce: 0n }).nonce).toBe(0n)
  })

  test.each<Partial<UserOperation>>([
    { initCode: `0x${'11'.repeat(20)}` },
    { paymasterAndData: `0x${'22'.repeat(52)}` },
  ])('error: NOT_VERIFIABLE for %o', (changed) => {
    const signed = { ...operation, ...changed }
    expect(codeOf(() => verifyOperation(propose(changed, signed), expected))).toBe('NOT_VERIFIABLE')
  })

  test('error: HASH_DIFFERS on another network', () => {
    expect(codeOf(() => verifyOperation(propose(), { ...expected, chainId: 1 }))).toBe('HASH_DIFFERS')
  })

  test('error: CALLS_DIFFER even if the hash is correct', () => {
    const callData = encodeCalls(calls.map((call) => ({ ...call, value: call.value + 1n })))
    const changed = { ...operation, callData }
    expect(codeOf(() => verifyOperation(propose(changed, changed), expected))).toBe('CALLS_DIFFER')
  })

  test('error: CALLS_DIFFER for a call added at the end', () => {
    const callData = encodeCalls([...calls, ...calls])
    const changed = { ...operation, callData }
    expect(codeOf(() => verifyOperation(propose(changed, changed), expected))).toBe('CALLS_DIFFER')
  })

  test('error: SENDER_DIFFERS', () => {
    const changed = { ...operation, sender: calls[0]?.to ?? account }
    expect(codeOf(() => verifyOperation(propose(changed, changed), expected))).toBe('SENDER_DIFFERS')
  })

  test('error: NOT_VERIFIABLE for a field that is not a number', () => {
    const proposed = propose()
    const broken = { ...proposed, userOp: { ...proposed.userOp, nonce: '1e3' } }
    expect(codeOf(() => verifyOperation(broken, expected))).toBe('NOT_VERIFIABLE')
  })
})
