import { type Hex, numberToHex, size } from 'viem'
import { SmartBalanceError } from './errors.ts'

/**
 * Encodes an unsigned integer as big-endian bytes.
 *
 * @throws SmartBalanceError OUT_OF_RANGE naming the field.
 */
export function encodeUint(value: bigint, bits: number, field: string): Hex {
  if (value < 0n || value >> BigInt(bits) !== 0n)
    throw new SmartBalanceError('OUT_OF_RANGE', `${field} does not fit a uint${bits}.`, {
      details: { field, bits },
    })
  return numberToHex(value, { size: bits / 8 })
}

/** @throws SmartBalanceError OUT_OF_RANGE naming the field. */
export function assertUint(value: bigint, bits: number, field: string): void {
  encodeUint(value, bits, field)
}

/** @throws SmartBalanceError MALFORMED naming the field. */
export function assertSize(value: Hex, bytes: number, field: string): void {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(value) || size(value) !== bytes)
    throw new SmartBalanceError('MALFORMED', `${field} is not ${bytes} bytes of hex.`, {
      details: { field, bytes },
    })
}
