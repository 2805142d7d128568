import type { Call } from '@lanyard/accounts'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'
import { toCall } from '../calls/to-call.ts'
import type { SmartBalanceNetwork } from '../networks/smart-balance-network.ts'
import { fetchTrustedSigners } from '../sign-in/trusted-signers.ts'
import { verifyDeposit } from './verify-deposit.ts'

/**
 * The calls that deposit, planned by the service, which knows whether a key must be pinned.
 *
 * @param amount - units of 6 decimals
 * @throws WalletError CALLS_DIFFER; errors of the service
 */
export async function planDeposit(
  account: Address,
  { chainId, smartBalance }: SmartBalanceNetwork,
  amount: bigint,
  signal: AbortSignal,
): Promise<readonly Call[]> {
  const [{ transactions }, signers] = await Promise.all([
    trpc.smartBalance.deposit.mutate(
      { walletAddress: account, network: chainId, amount: amount.toString() },
      { signal },
    ),
    fetchTrustedSigners(account, signal),
  ])
  return verifyDeposit(transactions.map(toCall), { smartBalance, amount, signers })
}
