import { shortAddress } from '@lanyard/ui'
import { type Address, getAddress, type Hex, slice } from 'viem'

/** The address behind a key id. Undefined for a P-256 key, of which the chain stores only a hash. */
export function addressOfKey(keyId: Hex): Address | undefined {
  return /^0x0{24}/.test(keyId) ? getAddress(slice(keyId, 12)) : undefined
}

/** A short form of a key for running text. */
export function shortKey(keyId: Hex): string {
  const address = addressOfKey(keyId)
  return address ? shortAddress(address) : `${keyId.slice(0, 6)}…${keyId.slice(-4)}`
}
