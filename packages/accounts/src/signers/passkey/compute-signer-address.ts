import {
  type Address,
  concat,
  encodeAbiParameters,
  getContractAddress,
  getCreate2Address,
  zeroHash,
} from 'viem'
import { assertUint } from '../../assert-uint.ts'
import type { PasskeyOwner } from '../../owner.ts'
import { type AccountDeployment, safeDeployment } from '../../safe/deployment/deployment.ts'
import { assertOnP256 } from './assert-on-p256.ts'
import { safeWebAuthnSignerCreationCode } from './safe-webauthn-signer-creation-code.ts'

/**
 * The signer contract of a passkey that is added to an existing account:
 * `SafeWebAuthnSignerFactory.getSigner`. Its address is the same for every account and network. The contract
 * must be created (`encodeCreateSigner`) before it can verify signatures.
 *
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE.
 */
export function computeSignerAddress(
  { x, y, verifiers }: Omit<PasskeyOwner, 'kind'>,
  { signerFactory }: Pick<AccountDeployment, 'signerFactory'> = safeDeployment,
): Address {
  assertOnP256({ x, y })
  assertUint(verifiers, 176, 'verifiers')
  // The factory's constructor creates the singleton, as its first contract.
  const singleton = getContractAddress({ from: signerFactory, nonce: 1n })
  return getCreate2Address({
    from: signerFactory,
    salt: zeroHash,
    bytecode: concat([
      safeWebAuthnSignerCreationCode,
      encodeAbiParameters(
        [{ type: 'address' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'uint176' }],
        [singleton, x, y, verifiers],
      ),
    ]),
  })
}
