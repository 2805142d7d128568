import { LanyardError } from '@lanyard/contracts'

/**
 * Rejects amounts that SmartBalance cannot hold: it counts in uint128.
 *
 * @throws AMOUNT_REFUSED
 */
export function requireAmount(amount: bigint): void {
  if (amount > 0n && amount < 2n ** 128n) return
  throw new LanyardError('AMOUNT_REFUSED', { message: 'The amount must be above 0 and below 2^128.' })
}
