import { safeWebAuthnSignerFactoryAbi } from '@lanyard/onchain'
import { encodeFunctionData } from 'viem'
import { assertUint } from '../../assert-uint.ts'
import type { Call } from '../../call.ts'
import type { PasskeyOwner } from '../../owner.ts'
import { type AccountDeployment, safeDeployment } from '../../safe/deployment/deployment.ts'
import { assertOnP256 } from './assert-on-p256.ts'

/**
 * The call that creates a passkey's signer contract at `computeSignerAddress`. It does nothing if the
 * contract exists. In a batch, put it before `encodeAddOwner`.
 *
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE.
 */
export function encodeCreateSigner(
  { x, y, verifiers }: Omit<PasskeyOwner, 'kind'>,
  { signerFactory }: Pick<AccountDeployment, 'signerFactory'> = safeDeployment,
): Call {
  assertOnP256({ x, y })
  assertUint(verifiers, 176, 'verifiers')
  return {
    to: signerFactory,
    value: 0n,
    data: encodeFunctionData({
      abi: safeWebAuthnSignerFactoryAbi,
      functionName: 'createSigner',
      args: [x, y, verifiers],
    }),
  }
}
