import { computeAccountAddress } from '@lanyard/accounts'
import { ceremonyBody, passkeyOwner } from '@lanyard/client'
import { startRegistration } from '@simplewebauthn/browser'
import { isAddressEqual } from 'viem'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { rememberAccount } from '../session/known-account.ts'
import type { Session } from '../session/stored-session.ts'

/**
 * Makes a passkey and with it an account. The address is recomputed from the new public key: an address of
 * somebody else's account is refused before anyone sends money to it.
 *
 * @throws WalletError FOREIGN_ADDRESS; what the ceremony and the service throw.
 */
export async function register(username: string): Promise<Session> {
  const optionsJSON = await trpc.webauthn.registerOptions.query({ username })
  const response = await startRegistration({
    // The schema says `string` where the library knows the standard's literals.
    optionsJSON: optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON'],
  })
  const { wallet, token, ...user } = await trpc.webauthn.registerVerify.mutate({
    ...ceremonyBody(response),
    username,
  })

  const account = wallet.scw_address
  const owner = passkeyOwner(response)
  if (owner && !isAddressEqual(computeAccountAddress(owner), account))
    throw new WalletError('FOREIGN_ADDRESS')
  rememberAccount({ username: user.username, account })
  return { username: user.username, account, token }
}
