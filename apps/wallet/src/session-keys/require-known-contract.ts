import { sessionKeysSurroundings } from '@lanyard/accounts'
import { predictSessionKeysAddress } from '@lanyard/onchain'
import { isAddressEqual } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'
import type { SessionKeysNetwork } from './session-keys-network.ts'

/**
 * Verifies that the service's contract is the SessionKeys that this wallet knows. A grant makes it an owner
 * and a module of the account, so any other contract could take everything. Its address follows by CREATE2
 * from its code and from the contracts of an account.
 *
 * @throws WalletError FOREIGN_CONTRACT
 */
export function requireKnownContract({
  sessionKeys,
  smartBalance,
}: Pick<SessionKeysNetwork, 'sessionKeys' | 'smartBalance'>): void {
  const known = predictSessionKeysAddress(sessionKeysSurroundings({ smartBalance: smartBalance?.address }))
  if (!isAddressEqual(sessionKeys, known)) throw new WalletError('FOREIGN_CONTRACT')
}
