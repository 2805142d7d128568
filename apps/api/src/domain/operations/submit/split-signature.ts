import { type Hex, hexToNumber, size, slice } from 'viem'

export interface GivenSignature {
  /** Of the owner. */
  readonly signature: Hex
  /** What the Safe's module reads in front of it, Unix seconds; 0 is without a bound. */
  readonly validity?: { readonly validAfter: number; readonly validUntil: number }
}

/** uint48 validAfter and uint48 validUntil (Safe4337Module), in bytes, then an ECDSA signature. */
const validityBytes = 12
const ecdsaBytes = 65

/**
 * A signature as SDKs of Safe accounts make it: the owner's 65 bytes alone, or with the validity of the operation in
 * front (77 bytes), as in `userOp.signature`.
 */
export function splitSignature(signature: Hex): GivenSignature {
  if (size(signature) !== validityBytes + ecdsaBytes) return { signature }
  return {
    signature: slice(signature, validityBytes),
    validity: {
      validAfter: hexToNumber(slice(signature, 0, 6)),
      validUntil: hexToNumber(slice(signature, 6, validityBytes)),
    },
  }
}
