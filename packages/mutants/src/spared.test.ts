import { expect, test } from 'vitest'
import { isProse } from './spared.ts'

test.each(['The order has expired.', '…, more than … for this claim', 'another version'])(
  'behavior: %s is for people',
  (text) => {
    expect(isProse(text)).toBe(true)
  },
)

test.each([
  '',
  'DUPLICATE',
  'signer.x',
  '0x',
  'transfer(address,uint256)',
  ' ',
  'function execute(bytes data)',
])('behavior: "%s" is for the program', (text) => {
  expect(isProse(text)).toBe(false)
})
