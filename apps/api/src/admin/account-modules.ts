import { defaultDeployment, sessionKeysDeploymentContext } from '@lanyard/accounts'
import type { NetworkConfig } from '@lanyard/networks'
import {
  epochsAddress,
  type OwnershipDeploymentContext,
  ownershipDeployment,
  predictOwnershipAddress,
  predictSessionKeysAddress,
  sessionKeysDeployment,
} from '@lanyard/onchain'
import { type Address, type Hex, zeroAddress } from 'viem'

/** A contract of ours that accounts enable as a module. Anyone may deploy it. */
export interface AccountModule {
  readonly name: string
  /** Its member of the network in NETWORKS_FILE. */
  readonly setting: 'sessionKeys' | 'ownership'
  /** The command that deploys it. */
  readonly command: string
  /** Where it is on a network if it is of this version, and the call data for the deterministic deployer. */
  readonly deploymentOn: (config: NetworkConfig) => { readonly address: Address; readonly data: Hex }
}

export const sessionKeysModule: AccountModule = {
  name: 'SessionKeys',
  setting: 'sessionKeys',
  command: 'deploy-session-keys',
  deploymentOn(config) {
    const deploymentContext = sessionKeysDeploymentContext(config)
    return {
      address: predictSessionKeysAddress(deploymentContext),
      data: sessionKeysDeployment(deploymentContext),
    }
  },
}

export const ownershipModule: AccountModule = {
  name: 'Ownership',
  setting: 'ownership',
  command: 'deploy-ownership',
  deploymentOn(config) {
    const deploymentContext = ownershipDeploymentContext(config)
    return {
      address: predictOwnershipAddress(deploymentContext),
      data: ownershipDeployment(deploymentContext),
    }
  },
}

/**
 * The contracts that Ownership works with on a network; zero for those that it does not have. Its address follows from
 * them, and what is signed names its address: only networks with the same contracts share owner changes.
 */
function ownershipDeploymentContext({
  sessionKeys = zeroAddress,
  smartBalance = zeroAddress,
}: NetworkConfig): OwnershipDeploymentContext {
  const { sharedSigner, signerFactory } = defaultDeployment
  return { sessionKeys, smartBalance, sharedSigner, signerFactory, epochs: epochsAddress }
}
