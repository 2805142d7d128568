import type { Address, Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { toCall } from '../calls/to-call.ts'
import type { SessionKeysNetwork } from './session-keys-network.ts'
import { type Revocation, verifyRevocation } from './verify-revocation.ts'

/**
 * The calls that end the session of a key. For the last session, the service also proposes removing the
 * contract from the account.
 *
 * @throws WalletError CALLS_DIFFER; errors of the service
 */
export async function planRevocation(
  account: Address,
  { chainId, sessionKeys }: SessionKeysNetwork,
  keyId: Hex,
  signal: AbortSignal,
): Promise<Revocation> {
  const { transactionDetails } = await trpc.sessionKey.disable.mutate(
    { network: chainId, walletAddress: account, sessionKey: keyId },
    { signal },
  )
  return verifyRevocation(transactionDetails.map(toCall), { account, sessionKeys, keyId })
}
