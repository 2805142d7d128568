import { safeDeployment } from '@lanyard/accounts'
import { predictSessionKeysAddress } from '@lanyard/onchain'
import { isAddressEqual, zeroAddress } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'
import type { SessionKeysNetwork } from './session-keys-network.ts'

/**
 * Checks that the contract which the service names is SessionKeys as this wallet knows it: a grant makes it an owner
 * and a module of the account, so another contract at that place could take everything. Its address follows from its
 * code and from what stands around an account (CREATE2).
 *
 * @throws WalletError FOREIGN_CONTRACT
 */
export function requireKnownContract({
  sessionKeys,
  smartBalance,
}: Pick<SessionKeysNetwork, 'sessionKeys' | 'smartBalance'>): void {
  const { entryPoint, module, sharedSigner, multiSend, multiSendCallOnly } = safeDeployment
  const known = predictSessionKeysAddress({
    entryPoint,
    safe4337Module: module,
    sharedSigner,
    multiSend,
    multiSendCallOnly,
    smartBalance: smartBalance?.address ?? zeroAddress,
  })
  if (!isAddressEqual(sessionKeys, known)) throw new WalletError('FOREIGN_CONTRACT')
}
