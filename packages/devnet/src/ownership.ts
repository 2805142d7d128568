import {
  epochsAddress,
  type OwnershipDeploymentContext,
  ownershipDeployment,
  predictOwnershipAddress,
} from '@lanyard/onchain'
import { type Address, slice } from 'viem'
import { canonicalAddresses } from './canonical-addresses.ts'
import type { placeContract } from './place-contract.ts'
import { sessionKeysAddress } from './session-keys.ts'
import { smartBalanceAddress } from './smart-balance.ts'

const deploymentContext: OwnershipDeploymentContext = {
  sessionKeys: sessionKeysAddress,
  smartBalance: smartBalanceAddress,
  sharedSigner: canonicalAddresses.safeWebAuthnSharedSigner,
  signerFactory: canonicalAddresses.safeWebAuthnSignerFactory,
  epochs: epochsAddress,
}

/** Ownership, the same on every local network. */
export const ownershipAddress: Address = predictOwnershipAddress(deploymentContext)

/** Places Ownership with the deterministic deployment proxy, as on real networks. */
export function ownershipContract(): Parameters<typeof placeContract>[1] {
  const deployment = ownershipDeployment(deploymentContext)
  return {
    address: ownershipAddress,
    placement: {
      kind: 'create2',
      factory: canonicalAddresses.deterministicDeployer,
      salt: slice(deployment, 0, 32),
      initCode: slice(deployment, 32),
    },
  }
}
