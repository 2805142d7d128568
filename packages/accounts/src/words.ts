import { type Address, type Hex, InvalidAddressError, isAddress, keccak256 } from 'viem'
import { AccountsError } from './errors.ts'
import { hashBytes } from './long-hashes.ts'

/**
 * The 32-byte words of an ABI encoding without its prefix 0x, for the hashes that every operation needs several times:
 * viem's generic encoders take a multiple of the time of the hash itself.
 */

/** @param value - not negative and below 2^256, which the caller has checked */
export const uintWord = (value: bigint): string => value.toString(16).padStart(64, '0')

/** Two values of 128 bits in one word. The caller has checked their range. */
export const uint128Pair = (high: bigint, low: bigint): string =>
  high.toString(16).padStart(32, '0') + low.toString(16).padStart(32, '0')

/** @throws InvalidAddressError, also for a wrong checksum */
export function addressWord(address: Address): string {
  if (!isAddress(address)) throw new InvalidAddressError({ address })
  return address.slice(2).toLowerCase().padStart(64, '0')
}

const emptyHash = keccak256('0x').slice(2)

/** The hash of bytes, as structs contain it in their place. */
export const hashWord = (bytes: Hex): string => (bytes === '0x' ? emptyHash : hashBytes(bytes).slice(2))

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
