import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { functionSelector } from './functionSelector.ts'

test.each([
  'transfer(address,uint256)',
  '_f$1()',
  '$(uint8)',
  'a1(bytes32[])',
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
])('default: %s', (signature) => {
  expect(functionSelector(signature)).toBe(toFunctionSelector(signature))
})

test('args: a selector', () => {
  expect(functionSelector('0x12345678')).toBe('0x12345678')
  expect(functionSelector('0xABCDEF01')).toBe('0xabcdef01')
})

test.each([
  '',
  'play',
  'play(',
  ' play()',
  '1play()',
  'play(uint256) view',
  'play(nothing)',
  'function play()',
  '0x1234567',
  '0x123456789',
  '0x1234567g',
  'x0x12345678',
])('behavior: "%s" is neither', (text) => {
  expect(functionSelector(text)).toBeUndefined()
})
