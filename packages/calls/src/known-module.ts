import { defaultDeployment } from '@lanyard/accounts'
import { epochsAddress, predictOwnershipAddress } from '@lanyard/onchain'
import { type Address, zeroAddress } from 'viem'
import type { CallNetwork } from './call-network.ts'

const addresses = new Map<string, Address>()

/** The address that Ownership has beside these contracts: it follows by CREATE2 from its code (EIP-1014). */
export function knownModule({
  sessionKeys = zeroAddress,
  smartBalance,
}: Pick<CallNetwork, 'sessionKeys' | 'smartBalance'>): Address {
  const balance = smartBalance?.address ?? zeroAddress
  const key = `${sessionKeys} ${balance}`
  const address =
    addresses.get(key) ??
    predictOwnershipAddress({
      sessionKeys,
      smartBalance: balance,
      sharedSigner: defaultDeployment.sharedSigner,
      signerFactory: defaultDeployment.signerFactory,
      epochs: epochsAddress,
    })
  addresses.set(key, address)
  return address
}
