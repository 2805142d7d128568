import { concat, type Hex, numberToHex, size } from 'viem'

/** Code that returns these bytes, at most 255, for every call. Used for overrides in an eth_call. */
export const codeThatReturns = (bytes: Hex): Hex => {
  const length = numberToHex(size(bytes), { size: 1 }).slice(2)
  // PUSH1 length, PUSH1 10, PUSH0, CODECOPY, PUSH1 length, PUSH0, RETURN
  return concat([`0x60${length}600a5f3960${length}5ff3`, bytes])
}
