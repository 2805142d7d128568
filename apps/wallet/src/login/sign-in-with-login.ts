import { ceremonyBody, passkeyOwner } from '@lanyard/client'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { readServiceError } from '../errors/service-error.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { fetchNetworks } from '../networks/use-networks.ts'
import { createPasskey } from '../passkey/ceremonies.ts'
import { createPasskeyQuietly } from '../passkey/create-quietly.ts'
import { requireOwnAddress } from '../passkey/require-own-address.ts'
import { signInWith } from '../passkey/sign-in.ts'
import { rememberAccount } from '../sign-in/known-account.ts'
import { beginLogin, type FinishedLogin } from './login-flow.ts'

export type NamedUser = EndpointOutput<typeof endpoints.identity.verify>

/** Who a login names; undefined if no account is linked to it. @throws errors of the service */
export async function findLinkedUser(idToken: string): Promise<NamedUser | undefined> {
  try {
    return await trpc.identity.verify.mutate({ idToken })
  } catch (error) {
    if (readServiceError(error)?.code === 'UNKNOWN_IDENTITY') return undefined
    throw error
  }
}

/** Signs in as the user whom a login named, with one of their passkeys. @throws errors of the ceremony and the service */
export async function signInAsNamed({ username, passkeyAuthenticationOptions }: NamedUser): Promise<Session> {
  if (!passkeyAuthenticationOptions) throw new WalletError('NOT_VERIFIABLE')
  return signInWith(passkeyAuthenticationOptions, username)
}

/**
 * Creates the first passkey of a login, and sends the browser to the provider once more: its next token names this passkey.
 *
 * @throws WalletError NOT_VERIFIABLE if the browser does not report the public key; errors of the ceremony and the service
 */
export async function beginRegistration({ issuer, idToken }: FinishedLogin, username: string): Promise<void> {
  const { options } = await trpc.identity.reserve.mutate({ idToken, username })
  const registration = (await createPasskeyQuietly(options)) ?? (await createPasskey(options))
  const passkey = passkeyOwner(registration)
  if (!passkey) throw new WalletError('NOT_VERIFIABLE')
  await beginLogin(
    issuer,
    { kind: 'register', username, registration },
    { act: 'register', passkey, challenge: options.challenge },
  )
}

/** Ends the registration. @throws WalletError FOREIGN_ADDRESS; errors of the service */
export async function finishRegistration({ idToken, purpose }: FinishedLogin): Promise<Session> {
  if (purpose.kind !== 'register') throw new WalletError('NOT_VERIFIABLE')
  const { registration, username: name } = purpose
  const { wallet, token, username } = await trpc.identity.register.mutate({
    ...{ ...ceremonyBody(registration), idToken, username: name },
  })
  const account = wallet.scw_address
  await requireOwnAddress(registration, account, fetchNetworks)
  rememberAccount({ username, account })
  return { username, account, token, credentialId: registration.id }
}
