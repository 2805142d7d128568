import { encodeSignature, stubSignature } from '@lanyard/accounts'
import { type Hex, hexToNumber, size, slice } from 'viem'
import { type OperationSigner, ownerSigner } from '../operation-signer.ts'
import { recogniseSignature } from '../submit/recognise-signature.ts'
import type { GivenSignature, Signer } from './signer.ts'

/** An EOA that owns the account. */
export const eoaSigner: OperationSigner = {
  ...ownerSigner,
  signMode: 'ECDSA',
  stubFor: async (_network, { validUntil }) => ({
    signature: stubSignature({ kind: 'eoa' }, { validUntil }),
    simulation: { stateOverride: [] },
    shortfall: { verification: 0n, preVerification: 0n },
  }),
}

/** r ‖ s ‖ v, in bytes. */
const ecdsaSize = 65

export const eoa: Signer = {
  signMode: 'ECDSA',
  unknown: 'No operation of this wallet matches. Build one first. A build can be signed for ten minutes.',
  ofFirstOwner: ({ owner }) => (owner.kind === 'eoa' ? eoaSigner : undefined),
  hasForm: (signature) => size(signature) === ecdsaSize,
  ofStub: async () => eoaSigner,
  split: splitSignature,
  recognise: (candidates, { wallet: { owner }, ownersOn, acceptsFirstOwner = false }, signature) =>
    recogniseSignature(
      candidates,
      {
        owner: acceptsFirstOwner && owner.kind === 'eoa' ? owner.address : undefined,
        laterOwners: ownersOn,
      },
      signature,
    ),
  encode: ({ valid_after: validAfter, valid_until: validUntil }, signatures) =>
    encodeSignature({ validAfter, validUntil, signatures }),
}

/** Bytes of uint48 validAfter and uint48 validUntil (Safe4337Module), before an ECDSA signature. */
const validityBytes = 12

/**
 * A signature in the forms that SDKs of Safe accounts produce: only the owner's 65 bytes, or with the
 * operation's validity in front (77 bytes), as in `userOp.signature`.
 */
export function splitSignature(signature: Hex): GivenSignature {
  if (size(signature) !== validityBytes + ecdsaSize) return { signature }
  return {
    signature: slice(signature, validityBytes),
    validity: {
      validAfter: hexToNumber(slice(signature, 0, 6)),
      validUntil: hexToNumber(slice(signature, 6, validityBytes)),
    },
  }
}
