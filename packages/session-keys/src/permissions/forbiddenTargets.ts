import { type AccountDeployment, safeDeployment } from '@lanyard/accounts'
import type { Address } from 'viem'

/**
 * What no session of `account` may call (ForbiddenTargets.sol): itself and what its powers rest on. The contract also
 * refuses addresses below 0x10000, and whatever is a module of the account at the time of the call.
 *
 * @param parameters.smartBalance as SessionKeys was constructed with.
 */
export function forbiddenTargets({
  account,
  sessionKeys,
  smartBalance,
  deployment = safeDeployment,
}: {
  account: Address
  sessionKeys: Address
  smartBalance: Address
  deployment?: Pick<
    AccountDeployment,
    'module' | 'entryPoint' | 'sharedSigner' | 'multiSend' | 'multiSendCallOnly'
  >
}): readonly Address[] {
  const { module, entryPoint, sharedSigner, multiSend, multiSendCallOnly } = deployment
  return [account, sessionKeys, smartBalance, module, entryPoint, sharedSigner, multiSend, multiSendCallOnly]
}
