import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeRevert } from './decode-revert.ts'

const abi = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error FailedOp(uint256 opIndex, string reason)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
])

describe('decodeRevert', () => {
  test('default', () => {
    const data = encodeErrorResult({ abi, errorName: 'Error', args: ['no'] })
    expect(decodeRevert(data)).toEqual({ reason: 'no', signature: 'Error(string)', args: ['no'] })
  })

  test("behavior: explains Safe's error codes", () => {
    const data = encodeErrorResult({ abi, errorName: 'Error', args: ['GS026'] })
    expect(decodeRevert(data).reason).toBe('GS026: invalid owner')
  })

  test('behavior: describes panics', () => {
    const data = encodeErrorResult({ abi, errorName: 'Panic', args: [0x11n] })
    expect(decodeRevert(data)).toEqual({
      reason: 'arithmetic overflow or underflow',
      signature: 'Panic(uint256)',
      args: [17n],
    })
  })

  test('behavior: names known custom errors and their arguments', () => {
    const sender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const data = encodeErrorResult({
      abi,
      errorName: 'ERC20InsufficientBalance',
      args: [sender, 1n, 2n],
    })
    expect(decodeRevert(data)).toMatchObject({
      reason: `ERC20InsufficientBalance(${sender}, 1, 2)`,
      signature: 'ERC20InsufficientBalance(address,uint256,uint256)',
    })
  })

  test.each<[string, Hex, string]>([
    ['nothing', '0x', 'reverted without a reason (or ran out of gas)'],
    ['data shorter than a selector', '0xabcd', 'reverted with 0xabcd'],
    ['an unknown selector', '0xdeadbeef', 'custom error 0xdeadbeef'],
    ['unknown data', '0xdeadbeef01', 'custom error 0xdeadbeef with 0xdeadbeef01'],
    ['a malformed Error(string)', '0x08c379a0ff', 'custom error 0x08c379a0 with 0x08c379a0ff'],
  ])('args: %s', (_name, data, reason) => {
    expect(decodeRevert(data)).toEqual({ reason })
  })

  test('behavior: truncates long text', () => {
    const data = encodeErrorResult({ abi, errorName: 'Error', args: ['x'.repeat(10_000)] })
    expect(decodeRevert(data).reason.length).toBeLessThan(600)
  })
})
