import { RpcRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { BundlerRpcError } from './bundler-rpc.ts'
import { readRejection } from './to-rejection.ts'

const answered = (code: number, message: string, data?: unknown) =>
  new BundlerRpcError(
    new RpcRequestError({
      body: {},
      url: 'http://bundler',
      error: { code, message, ...(data ? { data } : {}) },
    }),
  )

describe('readRefusal', () => {
  // AmbireTech/ambire-common#1683: nonce errors were recognised only in one bundler's wording.
  test.each([
    ['Alto', -32500, 'UserOperation reverted during simulation with reason: AA25 invalid account nonce'],
    ['Alto', -32602, 'UserOperation failed validation with reason: userOp nonce is too low'],
    ['Rundler', -32500, 'Entry point reverted: AA25 invalid account nonce'],
    ['Skandha', -32602, 'Invalid UserOp nonce: nonce too low'],
    ['Biconomy', -32500, 'Invalid account nonce'],
  ])('args: a nonce error worded by %s (%i)', (_who, code, message) => {
    expect(readRejection(answered(code, message))).toMatchObject({
      kind: 'nonce',
      error: { code: 'REBUILD' },
    })
  })

  // pimlicolabs/alto#747: retrying an operation that the bundler already has succeeds.
  test.each([
    'UserOperation already known',
    'already known',
    'Already in mempool',
    'UserOperation is already present in mempool',
    'Duplicate user operation',
    'User operation was already included',
  ])('args: "%s"', (message) => {
    expect(readRejection(answered(-32602, message))).toEqual({ kind: 'known' })
  })

  test.each([
    [-32500, "AA21 didn't pay prefund", 'INSUFFICIENT_FUNDS'],
    [
      -32500,
      'sender balance and deposit together is 0 but must be at least 5 to pay prefund',
      'INSUFFICIENT_FUNDS',
    ],
    [-32500, 'AA23 reverted', 'OPERATION_REFUSED'],
    [-32500, 'AA33 reverted', 'PAYMASTER_REFUSED'],
    [-32507, 'Invalid UserOperation signature or paymaster signature', 'INVALID_SIGNATURE'],
    [-32503, 'User operation expires too soon', 'REBUILD'],
    [-32602, 'maxFeePerGas must be at least 7 (current maxFeePerGas: 1)', 'FEE_TOO_LOW'],
    [-32602, 'preVerificationGas is not enough, required: 50000, got: 1', 'FEE_TOO_LOW'],
    [-32602, 'replacement user operation underpriced', 'OPERATION_REFUSED'],
    [-32501, 'something about it', 'PAYMASTER_REFUSED'],
    [-32502, 'banned opcode', 'OPERATION_REFUSED'],
    [-32504, 'throttled', 'PAYMASTER_REFUSED'],
    [-32505, 'stake too low', 'OPERATION_REFUSED'],
    [-32506, 'no aggregators', 'OPERATION_REFUSED'],
    [-32521, 'execution reverted', 'EXECUTION_REVERTED'],
    [-32601, 'the method does not exist', 'BUNDLER_FAILED'],
    [-32603, 'internal', 'BUNDLER_FAILED'],
    [-32005, 'slow down', 'BUNDLER_UNAVAILABLE'],
    [12345, 'never seen', 'BUNDLER_FAILED'],
  ])('args: %i "%s"', (code, message, expected) => {
    expect(readRejection(answered(code, message))).toMatchObject({ error: { code: expected } })
  })
})
