import {
  epochsAddress,
  predictSessionKeysAddress,
  type SessionKeysDeploymentContext,
  sessionKeysDeployment,
} from '@lanyard/onchain'
import { type Address, slice } from 'viem'
import { canonicalAddresses } from './canonical-addresses.ts'
import type { placeContract } from './place-contract.ts'
import { smartBalanceAddress } from './smart-balance.ts'

const deploymentContext: SessionKeysDeploymentContext = {
  entryPoint: canonicalAddresses.entryPoint,
  safe4337Module: canonicalAddresses.safe4337Module,
  sharedSigner: canonicalAddresses.safeWebAuthnSharedSigner,
  multiSend: canonicalAddresses.multiSend,
  multiSendCallOnly: canonicalAddresses.multiSendCallOnly,
  smartBalance: smartBalanceAddress,
  epochs: epochsAddress,
}

/** SessionKeys, the same on every local network. */
export const sessionKeysAddress: Address = predictSessionKeysAddress(deploymentContext)

/** Places SessionKeys with the deterministic deployment proxy, as on real networks. */
export function sessionKeysContract(): Parameters<typeof placeContract>[1] {
  const deployment = sessionKeysDeployment(deploymentContext)
  return {
    address: sessionKeysAddress,
    placement: {
      kind: 'create2',
      factory: canonicalAddresses.deterministicDeployer,
      salt: slice(deployment, 0, 32),
      initCode: slice(deployment, 32),
    },
  }
}
