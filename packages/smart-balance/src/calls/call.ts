import type { Call } from '@lanyard/accounts'
import type { Address, Hex } from 'viem'

/** A call without value. */
export function callOf(to: Address, data: Hex): Call {
  return { to, value: 0n, data }
}
