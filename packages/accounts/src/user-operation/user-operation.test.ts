import { describe, expect, test } from 'vitest'
import { operationOf } from '../../test/operation.ts'
import { safeOperationTypedData } from '../safe/operation.ts'
import { getUserOperationHash } from './hash.ts'
import {
  fromWireUserOperation,
  packUserOperation,
  requiredPrefund,
  toWireUserOperation,
  type WireUserOperation,
} from './user-operation.ts'

describe('userOperation', () => {
  const operation = operationOf({ kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  const paymasterAndData =
    `0x${'aa'.repeat(20)}${'07'.padStart(32, '0')}${'05'.padStart(32, '0')}cafe` as const

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
        const error = expect.objectContaining({
          code: 'OUT_OF_RANGE',
          details: { field, bits: Number(bits) },
        })
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
})

const operation = operationOf({ kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
const wire = toWireUserOperation(operation)
const paymasterAndData = `0x${'aa'.repeat(60)}` as const

describe('toWireUserOperation', () => {
  test('default', () => {
    const written = toWireUserOperation(operation)
    expect(Object.keys(written)).toEqual([
      'sender',
      'nonce',
      'initCode',
      'callData',
      'callGasLimit',
      'verificationGasLimit',
      'preVerificationGas',
      'maxFeePerGas',
      'maxPriorityFeePerGas',
    ])
    expect(Object.values(written).every((value) => typeof value === 'string')).toBe(true)
  })

  test('behavior: includes paymasterAndData', () => {
    expect(toWireUserOperation({ ...operation, paymasterAndData }).paymasterAndData).toBe(paymasterAndData)
  })
})

describe('fromWireUserOperation', () => {
  test('default', () => {
    for (const original of [operation, { ...operation, paymasterAndData }])
      expect(fromWireUserOperation(toWireUserOperation(original))).toEqual({ ok: true, operation: original })
  })

  test('args: paymasterAndData', () => {
    expect(fromWireUserOperation(wire, { paymasterAndData })).toMatchObject({
      operation: { paymasterAndData },
    })
  })

  test.each<[keyof WireUserOperation, unknown]>([
    ['sender', '0x1234'],
    ['sender', wire.sender.replace(/[a-f]/, (letter) => letter.toUpperCase())],
    ['nonce', 0],
    ['nonce', '0x0'],
    ['nonce', '00'],
    ['nonce', '-1'],
    ['nonce', '1e3'],
    ['nonce', ''],
    ['nonce', (2n ** 256n).toString()],
    ['callGasLimit', (2n ** 128n).toString()],
    ['verificationGasLimit', undefined],
    ['preVerificationGas', null],
    ['maxFeePerGas', ' 1'],
    ['maxPriorityFeePerGas', '1\n'],
    ['initCode', '0x1'],
    ['initCode', ''],
    ['callData', '0xzz'],
    ['callData', 'x0xab'],
    ['paymasterAndData', 'aa'],
  ])('error: MALFORMED, %s: %j', (field, value) => {
    // The type forbids these; JSON from outside does not.
    const malformed = { ...wire, [field]: value } as WireUserOperation
    expect(fromWireUserOperation(malformed)).toMatchObject({ ok: false, code: 'MALFORMED', field })
  })

  test('error: an exception of a getter is rethrown', () => {
    const broken = {
      ...wire,
      get nonce(): string {
        throw new RangeError('thrown by the caller')
      },
    }
    expect(() => fromWireUserOperation(broken)).toThrow(RangeError)
  })
})
