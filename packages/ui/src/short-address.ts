import type { Address } from 'viem'

/**
 * A short address for running text. It is enough to recognize one's own address, but never to check where
 * money goes. Screens on which a person decides show the full address.
 */
export function shortAddress(address: Address): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
