import { safe4337ModuleAbi } from '@lanyard/onchain'
import { numericSeed } from '@lanyard/testing'
import fc from 'fast-check'
import { encodeFunctionData, getAddress, type Hex, slice } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Call } from '../call.ts'
import { decodeCalls, encodeCalls, encodeMultiSend } from './calls.ts'
import { defaultDeployment } from './deployment.ts'

fc.configureGlobal({ seed: numericSeed })

const hex = (options: { minLength?: number; maxLength?: number }) =>
  fc.uint8Array(options).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
const call: fc.Arbitrary<Call> = fc.record({
  to: hex({ minLength: 20, maxLength: 20 }).map((address) => getAddress(address)),
  value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  data: hex({ maxLength: 200 }),
})
const one: Call = { to: defaultDeployment.module, value: 1n, data: '0x1234' }

function execution(to: Call, operation: number): Hex {
  return encodeFunctionData({
    abi: safe4337ModuleAbi,
    functionName: 'executeUserOpWithErrorString',
    args: [to.to, to.value, to.data, operation],
  })
}
const batchOf = (data: Hex): Call => ({ to: defaultDeployment.multiSendCallOnly, value: 0n, data })

describe('decodeCalls', () => {
  test('default', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 5 }), (calls) => {
        expect(decodeCalls(encodeCalls(calls))).toEqual({ ok: true, calls })
      }),
    )
  })

  test('behavior: an empty list of calls differs from one empty call', () => {
    expect(decodeCalls(encodeCalls([]))).toEqual({ ok: true, calls: [] })
  })

  test('behavior: accepts upper-case hex', () => {
    const upper: Hex = `0x${encodeCalls([one, one]).slice(2).toUpperCase()}`
    expect(decodeCalls(upper)).toEqual({ ok: true, calls: [one, one] })
  })

  test('args: deployment', () => {
    const other = { multiSendCallOnly: defaultDeployment.multiSend }
    expect(decodeCalls(encodeCalls([one, one], other), other)).toMatchObject({ ok: true })
    expect(decodeCalls(encodeCalls([one, one], other))).toMatchObject({ code: 'DELEGATECALL' })
  })

  test.each<[string, Hex]>([
    ['empty', '0x'],
    ['another function', '0xa9059cbb'],
    ['missing arguments', slice(encodeCalls([one]), 0, 39)],
    [
      'executeUserOp, which swallows the reason of a revert',
      encodeFunctionData({
        abi: safe4337ModuleAbi,
        functionName: 'executeUserOp',
        args: [one.to, 0n, '0x', 0],
      }),
    ],
  ])('error: NOT_AN_EXECUTION, %s', (_, callData) => {
    expect(decodeCalls(callData)).toMatchObject({ ok: false, code: 'NOT_AN_EXECUTION' })
  })

  test('error: DELEGATECALL', () => {
    expect(decodeCalls(execution(one, 1))).toMatchObject({ ok: false, code: 'DELEGATECALL' })
  })

  test.each<[string, Hex]>([
    ['trailing bytes', `${encodeCalls([one])}00`],
    ['an unknown operation', execution(one, 2)],
    ['a batch of one', execution(batchOf(encodeMultiSend([{ ...one, operation: 'call' }])), 1)],
    [
      'a delegatecall inside a batch',
      execution(
        batchOf(
          encodeMultiSend([
            { ...one, operation: 'call' },
            { ...one, operation: 'delegatecall' },
          ]),
        ),
        1,
      ),
    ],
    ['value with a batch', execution({ ...batchOf(encodeMultiSend([])), value: 1n }, 1)],
    ['a delegatecall to a function other than multiSend', execution(batchOf('0x12345678'), 1)],
    [
      'a truncated batch',
      execution(batchOf(slice(encodeMultiSend([{ ...one, operation: 'call' }]), 0, 100)), 1),
    ],
  ])('error: NOT_CANONICAL, %s', (_, callData) => {
    expect(decodeCalls(callData)).toMatchObject({ ok: false, code: 'NOT_CANONICAL' })
  })
})

describe('encodeCalls', () => {
  test('error: OUT_OF_RANGE', () => {
    for (const value of [-1n, 2n ** 256n])
      for (const calls of [[{ ...one, value }], [one, { ...one, value }]])
        expect(() => encodeCalls(calls)).toThrow(
          expect.objectContaining({ code: 'OUT_OF_RANGE', details: { field: 'value', bits: 256 } }),
        )
  })
})
