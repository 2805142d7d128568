import type { AssertionResponse } from '@lanyard/client'
import { isAddressEqual } from 'viem'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { knownAccount, rememberAccount } from './known-account.ts'

/**
 * Opens a session after signing in. The account is verified instead of trusting the service: this browser
 * already knows it, or its address follows from the passkey that signed in. For a passkey that was added
 * later neither is possible, and the session is marked unproven.
 *
 * @throws WalletError FOREIGN_ADDRESS if the service returns an account other than the one that this browser
 * knows, KIT_DIFFERS if the service's kit does not lead to the address, FOREIGN_MODULE if the account has a module that this
 * wallet does not know; errors of the service
 */
export async function openSession(
  { username: name, token }: { username: string; token: string },
  { id: credentialId, response: assertion }: { id: string; response: AssertionResponse },
): Promise<Session> {
  const user = await trpc.user.details.query({ username: name })
  const { username } = user
  const account = user.wallet.scw_address
  const known = knownAccount(username)
  if (known && !isAddressEqual(known.account, account)) throw new WalletError('FOREIGN_ADDRESS')

  const kit = known ? undefined : await trpc.owner.recoveryKit.query({ walletAddress: account })
  // Not needed to show the first screen.
  const { isFirstPasskey } = await import('./recovery-kit.ts')
  const proven = !kit || (await isFirstPasskey(kit, account, assertion))
  rememberAccount({ username, account })
  return { username, account, token, credentialId, ...(!proven && { unproven: true }) }
}
