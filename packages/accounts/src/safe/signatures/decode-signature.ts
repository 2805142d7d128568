import { type Hex, hexToNumber, size, slice } from 'viem'
import { AccountsError } from '../../errors.ts'
import type { OperationSignature } from './encode-signature.ts'

/**
 * The inverse of `encodeSignature`.
 *
 * @throws AccountsError MALFORMED if it is shorter than the two timestamps.
 */
export function decodeSignature(signature: Hex): OperationSignature {
  if (size(signature) < 12)
    throw new AccountsError('MALFORMED', 'The signature is shorter than validAfter and validUntil.')
  return {
    validAfter: hexToNumber(slice(signature, 0, 6)),
    validUntil: hexToNumber(slice(signature, 6, 12)),
    signatures: size(signature) === 12 ? '0x' : slice(signature, 12),
  }
}
