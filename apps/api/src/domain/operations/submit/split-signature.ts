import { type Hex, hexToNumber, size, slice } from 'viem'
import type { GivenSignature } from '../signers/signer.ts'

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
