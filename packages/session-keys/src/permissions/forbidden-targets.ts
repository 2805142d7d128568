import { type AccountDeployment, defaultDeployment } from '@lanyard/accounts'
import { epochsAddress } from '@lanyard/onchain'
import type { Address } from 'viem'

/**
 * The contracts that no session of `account` may call (ForbiddenTargets.sol): the account itself and the
 * contracts that it depends on. SessionKeys also refuses addresses below 0x10000, as `compilePermissions`
 * does, and the account's modules, guards, fallback handler and (for calls with data) owners at the time of
 * the call.
 *
 * @param parameters.smartBalance the one that SessionKeys was constructed with.
 */
export function forbiddenTargets({
  account,
  sessionKeys,
  smartBalance,
  deployment = defaultDeployment,
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
  const fixed = [module, entryPoint, sharedSigner, multiSend, multiSendCallOnly]
  return [account, sessionKeys, smartBalance, epochsAddress, ...fixed]
}
