import { expect, test } from 'vitest'
import { toCsvText } from './csv.ts'

test.each([
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\tx', `"'\tx"`],
  [' =1', `"' =1"`],
  ['\u200b=1', `"'\u200b=1"`],
  ['＝1', `"'＝1"`],
  ['Anna;=HYPERLINK("http://evil")', `"Anna;'=HYPERLINK(""http://evil"")"`],
  ['Anna; =1', `"Anna;' =1"`],
  ['Anna;"=1', `"Anna;'""=1"`],
  ['Anna;""=1', `"Anna;'""""=1"`],
  ['Anna\t=1', `"Anna\t'=1"`],
  ['Anna\n=1;-1', `"Anna\n'=1;'-1"`],
])('attack: no part of %j is a formula', (text, cell) => {
  expect(toCsvText(text)).toBe(cell)
})

test.each(['', 'Anna', 'a-b', 'Anna; Bob', 'a=b;c', "it's"])('behavior: %j stays as it is', (text) => {
  expect(toCsvText(text)).toBe(`"${text}"`)
})
