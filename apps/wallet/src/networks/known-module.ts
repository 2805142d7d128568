import { type CallNetwork, knownModule } from '@lanyard/calls'
import { type Address, isAddressEqual } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'

/**
 * Verifies that the service's module is the Ownership that this wallet knows: a module can make anyone the owner.
 *
 * @throws WalletError FOREIGN_MODULE
 */
export function requireKnownModule(
  module: Address,
  networks: readonly Pick<CallNetwork, 'sessionKeys' | 'smartBalance'>[],
): void {
  if (!networks.some((network) => isAddressEqual(knownModule(network), module)))
    throw new WalletError('FOREIGN_MODULE')
}
