import { AccountsError } from './errors.ts'

/**
 * Refuses a number that its on-chain field would truncate or reject.
 *
 * @throws AccountsError OUT_OF_RANGE naming the field.
 */
export function assertUint(value: bigint, bits: number, field: string): void {
  // A negative number is shifted to -1 at last.
  if (value >> BigInt(bits) !== 0n)
    throw new AccountsError('OUT_OF_RANGE', {
      message: `${field} does not fit a uint${bits}.`,
      details: { field, bits },
    })
}
