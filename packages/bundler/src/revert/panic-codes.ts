/** Solidity's `Panic(uint256)` codes (Solidity documentation, "Panic via assert and Error via require"). */
export const panicCodes: Readonly<Record<string, string>> = {
  '0': 'generic compiler panic',
  '1': 'assertion failed',
  '17': 'arithmetic overflow or underflow',
  '18': 'division or modulo by zero',
  '33': 'conversion to an enum that has no such value',
  '34': 'storage byte array that is incorrectly encoded',
  '49': 'pop of an empty array',
  '50': 'array index out of bounds',
  '65': 'too much memory was allocated',
  '81': 'call to a zero-initialized internal function',
}
