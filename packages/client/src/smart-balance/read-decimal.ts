import { BuildVerificationError } from '../verification-error.ts'

/**
 * Parses an amount of a response.
 *
 * @throws BuildVerificationError naming the field
 */
export function readDecimal(value: string, field: string): bigint {
  // 39 digits hold a uint128. The limit keeps BigInt() from parsing a megabyte.
  if (typeof value === 'string' && /^(0|[1-9]\d{0,38})$/.test(value)) return BigInt(value)
  throw new BuildVerificationError(field, 'not a decimal string')
}
