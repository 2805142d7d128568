import { startAuthentication } from '@simplewebauthn/browser'
import { isAddressEqual } from 'viem'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { knownAccount, rememberAccount } from '../session/known-account.ts'
import type { Session } from '../session/stored-session.ts'
import { ceremonyBody } from './ceremony-body.ts'

/**
 * Signs in with a passkey of `username`.
 *
 * @param options.autofill offer the passkey in the username field's suggestions (conditional mediation, WebAuthn
 * L3 §5.1.4) and wait until the person picks it.
 * @throws WalletError FOREIGN_ADDRESS when the service names another account than this browser knows; what the
 * ceremony and the service throw.
 */
export async function signIn(username: string, options: { autofill?: boolean } = {}): Promise<Session> {
  const { passkeyAuthenticationOptions } = await trpc.webauthn.authenticateOptions.query({ username })
  const response = await startAuthentication({
    // The schema says `string` where the library knows the standard's literals.
    optionsJSON: passkeyAuthenticationOptions as Parameters<typeof startAuthentication>[0]['optionsJSON'],
    useBrowserAutofill: options.autofill ?? false,
  })
  const { token } = await trpc.webauthn.authenticateVerify.mutate({ ...ceremonyBody(response), username })
  const user = await trpc.user.details.query({ username })

  const account = user.wallet.scw_address
  const known = knownAccount(user.username)
  if (known && !isAddressEqual(known.account, account)) throw new WalletError('FOREIGN_ADDRESS')
  rememberAccount({ username: user.username, account })
  return { username: user.username, account, token }
}
