import { ceremonyBody } from '@lanyard/client'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { readServiceError } from '../errors/service-error.ts'
import { fetchNetworks } from '../networks/use-networks.ts'
import { rememberAccount } from '../sign-in/known-account.ts'
import { createPasskey } from './ceremonies.ts'

/**
 * Creates a passkey and its account. The address is recomputed from the new public key, so a wrong address is
 * rejected before anyone sends money to it.
 *
 * @throws WalletError FOREIGN_ADDRESS; errors of the ceremony and the service
 */
export async function register(username: string): Promise<Session> {
  const options = await trpc.webauthn.registerOptions.query({ username })
  // Not needed to show the first screen, and loaded before a passkey exists that nothing could check.
  const { requireOwnAddress } = await import('./require-own-address.ts')
  const response = await createPasskey(options)
  const { wallet, token, ...user } = await trpc.webauthn.registerVerify
    .mutate({ ...ceremonyBody(response), username })
    .catch((error) => {
      // Another user has the name meanwhile: the new passkey has no account, and its address was never shown.
      if (readServiceError(error)?.code === 'USERNAME_TAKEN')
        void import('./signal.ts').then(({ signalRemovedPasskey }) =>
          signalRemovedPasskey(options.rp.id, response.id),
        )
      throw error
    })

  const account = wallet.scw_address
  await requireOwnAddress(response, account, fetchNetworks)
  rememberAccount({ username: user.username, account })
  return { username: user.username, account, token, credentialId: response.id }
}
