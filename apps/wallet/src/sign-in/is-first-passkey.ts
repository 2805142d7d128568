import { type AssertionResponse, isSignedBy } from '@lanyard/client'
import type { Address } from 'viem'
import { type RecoveryKit, readOwner, verifyRecoveryKit } from '../owners/recovery-kit.ts'

/**
 * Whether the account's address follows from the passkey that signed in.
 *
 * @throws WalletError KIT_DIFFERS if the kit does not lead to the address
 */
export async function isFirstPasskey(
  kit: RecoveryKit,
  account: Address,
  assertion: AssertionResponse,
): Promise<boolean> {
  verifyRecoveryKit(kit, account)
  const first = readOwner(kit)
  return first?.kind === 'passkey' && isSignedBy(first, assertion)
}
