import { keccak256, type PrivateKeyAccount, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Keys used only by the benchmarks. */
const ownerAt = (index: number): PrivateKeyAccount =>
  privateKeyToAccount(keccak256(stringToHex(`Lanyard bench: owner ${index}`)))

export const ownersFrom = (first: number, count: number): readonly PrivateKeyAccount[] =>
  Array.from({ length: count }, (_, index) => ownerAt(first + index))
