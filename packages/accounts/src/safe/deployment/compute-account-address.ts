import { type Address, concat, encodeAbiParameters, getCreate2Address, keccak256, numberToHex } from 'viem'
import type { AccountOwner } from '../../owner.ts'
import { type AccountDeployment, safeDeployment } from './deployment.ts'
import { encodeInitializer } from './encode-initializer.ts'
import { safeProxyCreationCode } from './safe-proxy-creation-code.ts'

/**
 * The account's counterfactual address, computed like CREATE2 in `SafeProxyFactory.createProxyWithNonce`,
 * with salt `keccak256(keccak256(initializer) ‖ saltNonce)`. It is the same on every network.
 *
 * @returns the checksummed address.
 * @throws AccountsError as {@link encodeInitializer}.
 */
export function computeAccountAddress(
  owner: AccountOwner,
  deployment: AccountDeployment = safeDeployment,
): Address {
  const initializer = encodeInitializer(owner, deployment)
  return getCreate2Address({
    from: deployment.factory,
    salt: keccak256(concat([keccak256(initializer), numberToHex(deployment.saltNonce, { size: 32 })])),
    bytecode: concat([
      safeProxyCreationCode,
      encodeAbiParameters([{ type: 'address' }], [deployment.singleton]),
    ]),
  })
}
