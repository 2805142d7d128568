import { type Call, defaultDeployment } from '@lanyard/accounts'
import { type Address, isAddressEqual } from 'viem'
import { t } from '../i18n/t.ts'
import type { Network } from '../networks/use-networks.ts'
import { Rejection } from './rejection.ts'

/**
 * Rejects calls to contracts that control the account: the account itself (owners, modules), its module, the
 * combined balance (exits, withdrawals, signers), the session keys, and the entry point (gas deposit and
 * nonces).
 *
 * @throws Refusal
 */
export function requireExternalCalls(calls: readonly Call[], account: Address, network: Network): void {
  const kept: readonly (readonly [Address | undefined, string])[] = [
    [account, t('This app asks for a call to your account itself. Only the wallet may do that.')],
    [
      defaultDeployment.module,
      t('This app asks for a call to your account’s module. Only the wallet may do that.'),
    ],
    [
      network.smartBalance?.address,
      t('This app asks for a call to your combined balance. Only the wallet may do that.'),
    ],
    [network.sessionKeys, t('This app asks for a call to your session keys. Only the wallet may do that.')],
    [
      defaultDeployment.entryPoint,
      t('This app asks for a call to the contract that keeps your gas deposit. Only the wallet may do that.'),
    ],
  ]
  for (const [address, message] of kept)
    if (address && calls.some(({ to }) => isAddressEqual(to, address)))
      throw new Rejection('invalidParams', message, {
        isShown: true,
      })
}
