import { isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/accounts/kind.ts'
import type { PasskeySigner } from '../accounts/owners/describe-owners.ts'
import { passkeySigner } from '../operations/signers/passkey.ts'
import type { OperationSigner } from '../operations/signers/signer.ts'

/**
 * The signer to estimate for when any of several may sign: if possible one that was added later, since its
 * contract is a proxy and costs more than the shared signer.
 */
export function costliestSigner(
  { deployment }: Wallet,
  signers: readonly PasskeySigner[],
): OperationSigner | undefined {
  const later = signers.find(({ contract }) => !isAddressEqual(contract, deployment.sharedSigner))
  const chosen = later ?? signers[0]
  if (!chosen) return undefined
  return passkeySigner({ contract: chosen.contract, verifiers: chosen.credential.verifiers })
}
