import { type AssertionResponse, isSignedBy } from '@lanyard/client'
import { isAddressEqual } from 'viem'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { readOwner, verifyRecoveryKit } from '../owners/recovery-kit.ts'
import { knownAccount, rememberAccount } from './known-account.ts'
import type { Session } from './stored-session.ts'

/**
 * The session of somebody who signed in. Which account is theirs is not taken on the service's word: this browser
 * knows it from last time, or the passkey that signed in is the one that the address follows from. With a passkey
 * that was added later neither can be shown, and the session says so.
 *
 * @throws WalletError FOREIGN_ADDRESS when the service names another account than this browser knows, KIT_DIFFERS
 * when it cannot say how the address comes about; what the service throws.
 */
export async function openSession(
  { username: name, token }: { username: string; token: string },
  assertion: AssertionResponse,
): Promise<Session> {
  const user = await trpc.user.details.query({ username: name })
  const { username } = user
  const account = user.wallet.scw_address
  const known = knownAccount(username)
  if (known && !isAddressEqual(known.account, account)) throw new WalletError('FOREIGN_ADDRESS')

  const kit = known ? undefined : await trpc.owner.recoveryKit.query({ walletAddress: account })
  if (kit) verifyRecoveryKit(kit, account)
  const first = kit && readOwner(kit)
  const proven = known !== undefined || (first?.kind === 'passkey' && (await isSignedBy(first, assertion)))
  rememberAccount({ username, account })
  return { username, account, token, ...(!proven && { unproven: true }) }
}
