import { toWireUserOperation } from '@lanyard/accounts'
import type { StoredAuthorization } from '@lanyard/database'
import { describe, expect, test } from 'vitest'
import { toOperation, toSignedOperation } from './operation-row.ts'

const operation = {
  sender: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  nonce: 1n,
  initCode: '0x',
  callData: '0x1234',
  callGasLimit: 2n,
  verificationGasLimit: 3n,
  preVerificationGas: 4n,
  maxFeePerGas: 5n,
  maxPriorityFeePerGas: 6n,
  paymasterAndData: '0x',
} as const
const read = { ...operation, entryPoint: '0x0000000071727de22e5e9d8baf0edac6f37da032' }
const row = {
  user_op: toWireUserOperation(operation),
  user_op_hash: '0x77',
  entry_point: read.entryPoint,
  signature: null,
  eip7702_auth: null,
}
const internal = (cause: string) =>
  expect.objectContaining({ code: 'INTERNAL', cause: expect.stringContaining(cause) })

describe('toOperation', () => {
  test('default: a row is read as its operation', () => {
    expect(toOperation(row)).toEqual(read)
  })

  test('error: INTERNAL for a malformed row', () => {
    expect(() => toOperation({ ...row, user_op: {} })).toThrow(internal('operation 0x77: '))
  })
})

describe('toSignedOperation', () => {
  test('default: a signed row is read with its signature', () => {
    expect(toSignedOperation({ ...row, signature: '0x51' })).toEqual({ ...read, signature: '0x51' })
  })

  test('default: with the authorisation that delegates its sender', () => {
    const authorization: StoredAuthorization = {
      ...{ chainId: 31337, nonce: 0, yParity: 1 },
      ...{ address: `0x${'7d'.repeat(20)}`, r: `0x${'01'.repeat(32)}`, s: `0x${'02'.repeat(32)}` },
    }
    expect(toSignedOperation({ ...row, signature: '0x51', eip7702_auth: authorization })).toEqual({
      ...read,
      signature: '0x51',
      authorization,
    })
  })

  test('error: INTERNAL for a row without a signature', () => {
    expect(() => toSignedOperation(row)).toThrow(internal('operation 0x77 is not signed'))
  })
})
