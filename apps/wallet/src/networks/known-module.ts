import { defaultDeployment } from '@lanyard/accounts'
import { epochsAddress, predictOwnershipAddress } from '@lanyard/onchain'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'
import type { Network } from './use-networks.ts'

type DeploymentContext = Pick<Network, 'sessionKeys' | 'smartBalance'>

const addresses = new Map<string, Address>()

/** The address that Ownership has beside these contracts: it follows by CREATE2 from its code (EIP-1014). */
export function knownModule({ sessionKeys = zeroAddress, smartBalance }: DeploymentContext): Address {
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

/**
 * Verifies that the service's module is the Ownership that this wallet knows: a module can make anyone the owner.
 *
 * @throws WalletError FOREIGN_MODULE
 */
export function requireKnownModule(module: Address, networks: readonly DeploymentContext[]): void {
  if (!networks.some((network) => isAddressEqual(knownModule(network), module)))
    throw new WalletError('FOREIGN_MODULE')
}
