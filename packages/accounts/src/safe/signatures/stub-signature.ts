import type { Address, Hex } from 'viem'
import type { AccountOwner } from '../../owner.ts'
import { eoaStub } from '../../signers/eoa/stub.ts'
import { passkeyStub } from '../../signers/passkey/stub.ts'
import { type AccountDeployment, safeDeployment } from '../deployment/deployment.ts'
import { encodeSignature } from './encode-signature.ts'

/** What stands for the signature of each kind of owner. */
const stubs: Readonly<Record<AccountOwner['kind'], (signer: Address) => Hex>> = {
  eoa: () => eoaStub,
  passkey: passkeyStub,
}

/**
 * A signature for gas estimation: at least as long and as costly as the owner's real ones, and valid for no
 * operation. If a chain has the P-256 precompile, a bad signature makes the signer contract fall through to
 * the Solidity verifier, which a real one does not. The estimation must therefore override that verifier's
 * code.
 *
 * @param options.signer for a passkey added later, its signer contract (`computeSignerAddress`).
 */
export function stubSignature(
  owner: Pick<AccountOwner, 'kind'>,
  options: {
    validAfter?: number
    validUntil?: number
    signer?: AccountDeployment['sharedSigner']
  } = {},
): Hex {
  const { validAfter = 0, validUntil = 0, signer = safeDeployment.sharedSigner } = options
  return encodeSignature({ validAfter, validUntil, signatures: stubs[owner.kind](signer) })
}
