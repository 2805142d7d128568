import { type AssertionResponse, isSignedBy } from '@lanyard/client'
import type { Address } from 'viem'
import { fetchNetworks } from '../networks/use-networks.ts'
import { type RecoveryKit, verifyRecoveryKit } from './recovery-kit.ts'

/**
 * Whether the account's address follows from the passkey that signed in.
 *
 * @throws WalletError KIT_DIFFERS if the kit does not lead to the address, FOREIGN_MODULE; errors of the service
 */
export async function isFirstPasskey(
  kit: RecoveryKit,
  account: Address,
  assertion: AssertionResponse,
): Promise<boolean> {
  const first = await verifyRecoveryKit(kit, account, fetchNetworks)
  return first.kind === 'passkey' && isSignedBy(first, assertion)
}
