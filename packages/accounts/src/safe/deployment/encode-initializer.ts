import { safeAbi, safeModuleSetupAbi, safeWebAuthnSharedSignerAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { assertUint } from '../../assert-uint.ts'
import type { AccountOwner } from '../../owner.ts'
import { assertOnP256 } from '../../signers/passkey/assert-on-p256.ts'
import { encodeMultiSend } from '../calls/encode-multi-send.ts'
import { type AccountDeployment, safeDeployment } from './deployment.ts'

/**
 * The call data of `Safe.setup` that makes `owner` the only owner (threshold 1) and enables the 4337 module,
 * and Ownership if the deployment has it.
 *
 * An EOA account calls SafeModuleSetup directly. Only a passkey account goes through MultiSend, because it
 * must also store its key.
 *
 * @throws AccountsError NOT_ON_CURVE if x, y of a passkey are not a point of P-256; OUT_OF_RANGE for
 * verifiers over 176 bits.
 */
export function encodeInitializer(owner: AccountOwner, deployment: AccountDeployment = safeDeployment): Hex {
  const enableModule = encodeFunctionData({
    abi: safeModuleSetupAbi,
    functionName: 'enableModules',
    args: [[deployment.module, ...(deployment.ownership ? [deployment.ownership] : [])]],
  })
  if (owner.kind === 'eoa')
    return encodeSetup(owner.address, deployment.moduleSetup, enableModule, deployment)

  const { x, y, verifiers } = owner
  assertOnP256({ x, y })
  assertUint(verifiers, 176, 'verifiers')
  const configureSigner = encodeFunctionData({
    abi: safeWebAuthnSharedSignerAbi,
    functionName: 'configure',
    args: [{ x, y, verifiers }],
  })
  const setUpBoth = encodeMultiSend([
    { operation: 'delegatecall', to: deployment.moduleSetup, value: 0n, data: enableModule },
    { operation: 'delegatecall', to: deployment.sharedSigner, value: 0n, data: configureSigner },
  ])
  return encodeSetup(deployment.sharedSigner, deployment.multiSend, setUpBoth, deployment)
}

/** `to` is delegate-called with `data`. The last three arguments are zero: the deployment pays no refund. */
function encodeSetup(owner: Address, to: Address, data: Hex, { module }: AccountDeployment): Hex {
  return encodeFunctionData({
    abi: safeAbi,
    functionName: 'setup',
    args: [[owner], 1n, to, data, module, zeroAddress, 0n, zeroAddress],
  })
}
