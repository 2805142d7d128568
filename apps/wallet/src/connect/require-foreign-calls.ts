import { type Call, safeDeployment } from '@lanyard/accounts'
import { type Address, isAddressEqual } from 'viem'
import type { Network } from '../networks/use-networks.ts'
import { Refusal } from './refusal.ts'

/**
 * Rejects calls to contracts that control the account: the account itself (owners, modules), its module, the
 * combined balance (exits, withdrawals, signers), the session keys, and the entry point (gas deposit and
 * nonces).
 *
 * @throws Refusal
 */
export function requireForeignCalls(calls: readonly Call[], account: Address, network: Network): void {
  const kept: readonly (readonly [Address | undefined, string])[] = [
    [account, 'your account itself'],
    [safeDeployment.module, 'your account’s module'],
    [network.smartBalance?.address, 'your combined balance'],
    [network.sessionKeys, 'your session keys'],
    [safeDeployment.entryPoint, 'the contract that keeps your gas deposit'],
  ]
  for (const [address, name] of kept)
    if (address && calls.some(({ to }) => isAddressEqual(to, address)))
      throw new Refusal(
        'invalidParams',
        `This app asks for a call to ${name}. Only the wallet may do that.`,
        {
          isShown: true,
        },
      )
}
