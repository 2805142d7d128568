import { type Hex, serializeErc6492Signature, slice } from 'viem'
import type { AccountOwner } from './owner.ts'
import { type AccountDeployment, safeDeployment } from './safe/deployment/deployment.ts'
import { encodeInitCode } from './safe/deployment/encode-init-code.ts'

/**
 * A signature of an account that is not deployed yet (ERC-6492): abi.encode(factory, factory call data,
 * signature) ‖ 32 magic bytes. Never wrap for a deployed account: a verifier that supports only ERC-1271
 * rejects it.
 *
 * @param parameters.owner the account's first owner, the only one who can sign before deployment
 * @param parameters.signature what `isValidSignature` takes once the account is deployed
 * @throws AccountsError as {@link encodeInitCode}
 */
export function wrapErc6492Signature({
  owner,
  signature,
  deployment = safeDeployment,
}: {
  readonly owner: AccountOwner
  readonly signature: Hex
  readonly deployment?: AccountDeployment
}): Hex {
  const initCode = encodeInitCode(owner, deployment)
  return serializeErc6492Signature({ address: slice(initCode, 0, 20), data: slice(initCode, 20), signature })
}
