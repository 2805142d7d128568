import { type Hex, hexToNumber, size, slice } from 'viem'

export interface GivenSignature {
  /** The owner's signature. */
  readonly signature: Hex
  /** The bounds that the Safe's module reads before the signature, Unix seconds; 0 means no bound. */
  readonly validity?: { readonly validAfter: number; readonly validUntil: number }
}

/** Bytes of uint48 validAfter and uint48 validUntil (Safe4337Module), before an ECDSA signature. */
const validityBytes = 12
const ecdsaBytes = 65

/**
 * A signature in the forms that SDKs of Safe accounts produce: only the owner's 65 bytes, or with the
 * operation's validity in front (77 bytes), as in `userOp.signature`.
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
