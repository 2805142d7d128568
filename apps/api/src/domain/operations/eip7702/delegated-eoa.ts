import { toDelegatedAccount } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type OperationSigner, ownerSigner } from '../operation-signer.ts'
import type { Signer } from '../signers/signer.ts'
import { recogniseSignature } from '../submit/recognise-signature.ts'

/** Any delegated account: what follows does not depend on the address. */
const { stubSignature } = toDelegatedAccount('0x0000000000000000000000000000000000007702')

/** An EOA that is the account itself. Its signature has no validity: it holds until its nonce is used. */
const delegatedEoaSigner: OperationSigner = {
  ...ownerSigner,
  signMode: 'ECDSA',
  validityOf: () => ({ validAfter: 0, validUntil: 0 }),
  stubFor: async () => ({
    signature: stubSignature({}),
    simulation: { stateOverride: [] },
    shortfall: { verification: 0n, preVerification: 0n },
  }),
}

/** v of a signature by `personal_sign`, as Safes tell it from others. */
const firstPersonal = 31

export const delegatedEoa: Signer = {
  signMode: 'ECDSA',
  unknown: 'No operation of this account matches. Build one first. A build can be signed for ten minutes.',
  ofFirstOwner: () => delegatedEoaSigner,
  async recognise(candidates, { wallet }, signature) {
    const found = await recogniseSignature(candidates, { owner: wallet.address }, signature)
    if (Number.parseInt(found.ownerSignature.slice(-2), 16) < firstPersonal) return found
    throw new LanyardError('SIGNATURE_BY_PERSONAL_SIGN')
  },
  encode: (_row, signature) => signature,
}
