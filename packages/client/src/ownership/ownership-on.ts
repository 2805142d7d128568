import { defaultDeployment } from '@lanyard/accounts'
import { epochsAddress, predictOwnershipAddress } from '@lanyard/onchain'
import { type Address, getAddress, zeroAddress } from 'viem'

/** The contracts beside Ownership on one network, as `GET /networks` names them. */
export interface OwnershipNetwork {
  readonly sessionKeys?: string | null | undefined
  readonly smartBalance?: string | null | undefined
}

/**
 * The address that Ownership has beside these contracts. Others than the network's give another module of the same code,
 * which changes owners only by an owner's or guardians' signature, too.
 */
export function ownershipOn({ sessionKeys, smartBalance }: OwnershipNetwork): Address {
  const { sharedSigner, signerFactory } = defaultDeployment
  return predictOwnershipAddress({
    sessionKeys: getAddress(sessionKeys ?? zeroAddress),
    smartBalance: getAddress(smartBalance ?? zeroAddress),
    sharedSigner,
    signerFactory,
    epochs: epochsAddress,
  })
}
