import { BuildVerificationError } from '../verification-error.ts'

/**
 * An amount as answers write it.
 *
 * @throws BuildVerificationError naming the member
 */
export function readDecimal(value: string, field: string): bigint {
  // 39 digits hold a uint128; the bound keeps BigInt() from parsing a megabyte.
  if (typeof value === 'string' && /^(0|[1-9]\d{0,38})$/.test(value)) return BigInt(value)
  throw new BuildVerificationError(field, 'not a decimal string')
}
