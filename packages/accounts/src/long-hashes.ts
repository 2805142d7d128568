import { type Hash, type Hex, keccak256 } from 'viem'

/** Characters from which on a hash takes a millisecond or more. */
export const longHex = 32 * 1024

/** A build hashes its call data several times, and a process works on few long ones at once. */
const maxKnown = 4

let known: readonly { readonly bytes: Hex; readonly hash: Hash }[] = []

/** Makes the hash of long bytes known, for example after another thread has computed it. */
export function rememberHash(bytes: Hex, hash: Hash): void {
  known = [{ bytes, hash }, ...known].slice(0, maxKnown)
}

/** keccak256, which computes the hash of long bytes once. */
export function hashBytes(bytes: Hex): Hash {
  if (bytes.length < longHex) return keccak256(bytes)
  const found = known.find((one) => one.bytes === bytes)
  if (found) return found.hash
  const hash = keccak256(bytes)
  rememberHash(bytes, hash)
  return hash
}
