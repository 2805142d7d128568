import { describe, expect, test } from 'vitest'
import { operationOf } from '../../test/operation.ts'
import { safeOperationTypedData } from '../safe/operation.ts'
import { getUserOperationHash } from './get-user-operation-hash.ts'
import { packUserOperation, requiredPrefund } from './user-operation.ts'

const operation = operationOf({ kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
const paymasterAndData = `0x${'aa'.repeat(20)}${'07'.padStart(32, '0')}${'05'.padStart(32, '0')}cafe` as const

describe('packUserOperation', () => {
  test('default', () => {
    const packed = packUserOperation({
      ...operation,
      callGasLimit: 1n,
      verificationGasLimit: 2n,
      paymasterAndData,
    })
    expect(packed.accountGasLimits).toBe(`0x${'2'.padStart(32, '0')}${'1'.padStart(32, '0')}`)
    expect(packed.initCode).toBe(operation.initCode)
    expect(packed.paymasterAndData).toBe(paymasterAndData)
    expect(packed.signature).toBe('0x')
  })

  test.each([
    ['callGasLimit', 128n],
    ['verificationGasLimit', 128n],
    ['maxFeePerGas', 128n],
    ['maxPriorityFeePerGas', 128n],
    ['preVerificationGas', 256n],
    ['nonce', 256n],
  ] as const)('error: OUT_OF_RANGE, %s', (field, bits) => {
    expect(() => packUserOperation({ ...operation, [field]: 2n ** bits - 1n })).not.toThrow()
    for (const value of [-1n, 2n ** bits]) {
      const tooLarge = { ...operation, [field]: value }
      const error = expect.objectContaining({ code: 'OUT_OF_RANGE', details: { field, bits: Number(bits) } })
      expect(() => packUserOperation(tooLarge)).toThrow(error)
      expect(() => getUserOperationHash(tooLarge, { chainId: 1 })).toThrow(error)
      expect(() => safeOperationTypedData(tooLarge, { chainId: 1 })).toThrow(error)
    }
  })

  test('error: MALFORMED', () => {
    const error = expect.objectContaining({ code: 'MALFORMED' })
    expect(() => packUserOperation({ ...operation, initCode: '0x1234' })).toThrow(error)
    expect(() => packUserOperation({ ...operation, paymasterAndData: '0x1234' })).toThrow(error)
  })
})

test('requiredPrefund', () => {
  const gas = { callGasLimit: 1n, verificationGasLimit: 2n, preVerificationGas: 3n, maxFeePerGas: 10n }
  expect(requiredPrefund({ ...operation, ...gas })).toBe(60n)
  expect(requiredPrefund({ ...operation, ...gas, paymasterAndData })).toBe(180n)
})
