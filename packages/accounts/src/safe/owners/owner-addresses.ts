import type { Address } from 'viem'
import type { AccountOwner } from '../../owner.ts'
import { computeSignerAddress } from '../../signers/passkey/compute-signer-address.ts'
import { type AccountDeployment, safeDeployment } from '../deployment/deployment.ts'

/**
 * The addresses under which a Safe can list an owner. A passkey that was added later owns by its own signer contract,
 * which comes first; the one that the account was created with, by the shared signer.
 *
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE
 */
export function ownerAddresses(
  owner: AccountOwner,
  deployment: Pick<AccountDeployment, 'signerFactory' | 'sharedSigner'> = safeDeployment,
): readonly [Address, ...Address[]] {
  if (owner.kind === 'eoa') return [owner.address]
  return [computeSignerAddress(owner, deployment), deployment.sharedSigner]
}
