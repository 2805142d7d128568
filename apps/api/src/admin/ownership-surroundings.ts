import { defaultDeployment } from '@lanyard/accounts'
import type { NetworkConfig } from '@lanyard/networks'
import { epochsAddress, type OwnershipSurroundings } from '@lanyard/onchain'
import { zeroAddress } from 'viem'

/**
 * The contracts that Ownership works with on a network; zero for those that it does not have. Its address follows from
 * them, and what is signed names its address: only networks with the same contracts share owner changes.
 */
export function ownershipSurroundings({
  sessionKeys = zeroAddress,
  smartBalance = zeroAddress,
}: NetworkConfig): OwnershipSurroundings {
  const { sharedSigner, signerFactory } = defaultDeployment
  return { sessionKeys, smartBalance, sharedSigner, signerFactory, epochs: epochsAddress }
}
