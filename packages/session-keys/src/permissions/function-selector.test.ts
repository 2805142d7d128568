import { toFunctionSelector } from 'viem'
import { expect, onTestFinished, test, vi } from 'vitest'
import { functionSelector } from './function-selector.ts'

test.each([
  'transfer(address,uint256)',
  '_f$1()',
  '$(uint8)',
  'a1(bytes32[])',
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
  'f((bool,string)[2][],(function),int24[7],bytes1)',
  'uint(uint256)',
])('default: %s', (signature) => {
  expect(functionSelector(signature)).toBe(toFunctionSelector(signature))
})

test('behavior: expands uint and int in parameters, not in function names', () => {
  expect(functionSelector('uint(uint,(int[],uint[2]))')).toBe(
    toFunctionSelector('uint(uint256,(int256[],uint256[2]))'),
  )
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
  'play(uint256 amount)',
  'play(uint256, bool)',
  'play(tuple)',
  'play(uint7)',
  'play(uint264)',
  'play(bytes0)',
  'play(bytes33)',
  'play(fixed128x18)',
  'play(uint256[)',
  'play(uint256[-1])',
  'play(uint256[01])',
  'play([2])',
  'play(bool,)',
  'play(,bool)',
  'play(bool,,bool)',
  'play((bool)',
  'play(bool))',
  'play(bool)(bool)',
  'play((bool)bool)',
  'play(bool(bool))',
  'play()[]',
  'play()\n',
  'play(bool\n)',
])('behavior: undefined for "%s"', (text) => {
  expect(functionSelector(text)).toBeUndefined()
})

test('behavior: accepts at most 256 characters', () => {
  const ofLength = (length: number) => `${'f'.repeat(length - 2)}()`
  expect(functionSelector(ofLength(256))).toBe(toFunctionSelector(ofLength(256)))
  expect(functionSelector(ofLength(257))).toBeUndefined()
})

// With this input, an algorithm slower than linear does not finish within the test's time.
test.each([
  ['returns', `f(${') returns ('.repeat(2_200_000)}\n)`],
  ['tuples', `f${'('.repeat(12_000_000)}${')'.repeat(12_000_000)}`],
  ['arrays', `f(uint${'[]'.repeat(12_000_000)}`],
  ['a name', `${'f'.repeat(24_000_000)}`],
])('behavior: rejects very long input: %s', (_name, text) => {
  expect(functionSelector(text)).toBeUndefined()
})

test('behavior: keeps nothing in memory', () => {
  const kept = vi.spyOn(Map.prototype, 'set')
  onTestFinished(() => kept.mockRestore())
  for (const text of ['f(uint8[77],(bool[78]))', 'f(uint8[77)', 'f(uint8 a79)']) functionSelector(text)
  expect(kept).not.toHaveBeenCalled()
})
