import { describe, expect, test } from 'vitest'
import { operationOf } from '../../test/operation.ts'
import { fromWireUserOperation, toWireUserOperation, type WireUserOperation } from './wire-user-operation.ts'

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
