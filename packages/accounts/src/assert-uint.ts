import { AccountsError } from './errors.ts'

/**
 * Rejects a number that its on-chain field would truncate or reject.
 *
 * @throws AccountsError OUT_OF_RANGE naming the field.
 */
export function assertUint(value: bigint, bits: number, field: string): void {
  // Shifting a negative number ends at -1, never at 0.
  if (value >> BigInt(bits) !== 0n)
    throw new AccountsError('OUT_OF_RANGE', `${field} does not fit a uint${bits}.`, {
      details: { field, bits },
    })
}
