import { computeAccountAddress, defaultVerifiers } from '@lanyard/accounts'
import { startRegistration } from '@simplewebauthn/browser'
import { isAddressEqual } from 'viem'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { rememberAccount } from '../session/known-account.ts'
import type { Session } from '../session/stored-session.ts'
import { ceremonyBody } from './ceremony-body.ts'
import { parsePublicKey } from './public-key.ts'

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

  const publicKey = parsePublicKey(response.response.publicKey)
  if (publicKey) {
    const expected = computeAccountAddress({ kind: 'passkey', ...publicKey, verifiers: defaultVerifiers })
    if (!isAddressEqual(expected, wallet.scw_address)) throw new WalletError('FOREIGN_ADDRESS')
  }
  const account = wallet.scw_address
  rememberAccount({ username: user.username, account, ...(publicKey && { publicKey }) })
  return { username: user.username, account, token }
}
