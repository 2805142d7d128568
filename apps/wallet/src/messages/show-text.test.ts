import { expect, test } from 'vitest'
import { showText } from './decode-typed-data.ts'

test('default: keeps visible characters', () => {
  const text = 'Grüezi, 世界! 👍\nنص عربي'
  expect(showText(text)).toBe(text)
})

test.each([
  ['\u202egnp.exe', '\\u{202e}gnp.exe'],
  ['pay\u2066me\u2069', 'pay\\u{2066}me\\u{2069}'],
  ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
  ['tab\tbell\u0007\r\n', 'tab\\u{9}bell\\u{7}\\u{d}\n'],
  ['line\u2028separator\u0085', 'line\\u{2028}separator\\u{85}'],
  ['tag\u{e0041}', 'tag\\u{e0041}'],
])('behavior: %j', (text, shown) => {
  expect(showText(text)).toBe(shown)
})
