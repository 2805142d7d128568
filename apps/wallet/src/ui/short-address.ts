import type { Address } from 'viem'

/**
 * An address for running text: enough to recognise one's own, never enough to check where money goes. Wherever
 * someone decides by it, the whole address is shown.
 */
export function shortAddress(address: Address): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
