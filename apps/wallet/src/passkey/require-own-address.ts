import { computeAccountAddress } from '@lanyard/accounts'
import { passkeyOwner } from '@lanyard/client'
import { type Address, isAddressEqual } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'

/**
 * Recomputes an account's address from the passkey that was just created.
 *
 * @throws WalletError FOREIGN_ADDRESS
 */
export function requireOwnAddress(created: Parameters<typeof passkeyOwner>[0], account: Address): void {
  const owner = passkeyOwner(created)
  if (owner && !isAddressEqual(computeAccountAddress(owner), account))
    throw new WalletError('FOREIGN_ADDRESS')
}
