import { encodeSignature, stubSignature } from '@lanyard/accounts'
import { size } from 'viem'
import { type OperationSigner, ownerSigner } from '../operation-signer.ts'
import { recogniseSignature, splitSignature } from '../submit/recognise-signature.ts'
import type { Signer } from './signer.ts'

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
