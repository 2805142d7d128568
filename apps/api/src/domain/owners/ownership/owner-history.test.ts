import { zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { findUnknown } from './owner-history.ts'

const messages = [0n, 1n, 3n].map((sequence) => ({ sequence, hash: zeroHash }))

test('default: the sequences of which no message is known', () => {
  expect(findUnknown(2n, messages)).toEqual([])
  expect(findUnknown(5n, messages)).toEqual([2n, 4n])
})

/* `resync` of the module: the account raises its own sequence by 1,024 a call, for some thousand gas. */
test('attack: an account that raised its sequence does not fill the memory of who reads it', () => {
  expect(findUnknown(2n ** 62n, messages)).toEqual([2n, 4n, 5n, 6n])
})
