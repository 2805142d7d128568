import { ceremonyBody } from '@lanyard/client'
import { startAuthentication } from '@simplewebauthn/browser'
import { trpc } from '../api/trpc.ts'
import { openSession } from '../sign-in/open-session.ts'
import type { Session } from '../sign-in/stored-session.ts'

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]

/**
 * Signs in with the passkey that the person picks. The authenticator knows the user, so nobody types a name.
 *
 * @param options.autofill - offers the passkeys in the username field's suggestions (conditional mediation,
 * WebAuthn L3 §5.1.4) and waits until the person picks one
 * @throws like {@link openSession}, and errors of the ceremony
 */
export async function signIn(options: { autofill?: boolean } = {}): Promise<Session> {
  const { passkeyAuthenticationOptions } = await trpc.webauthn.discoverOptions.query({})
  const response = await startAuthentication({
    // The schema has `string` where the library has the standard's literals.
    optionsJSON: passkeyAuthenticationOptions as AuthenticationOptions['optionsJSON'],
    useBrowserAutofill: options.autofill ?? false,
  })
  return openSession(await trpc.webauthn.discoverVerify.mutate(ceremonyBody(response)), response)
}

/**
 * Signs in with a passkey of `username`. This includes passkeys that a security key stores without a user
 * name.
 *
 * @throws like {@link signIn}
 */
export async function signInAs(username: string): Promise<Session> {
  const { passkeyAuthenticationOptions } = await trpc.webauthn.authenticateOptions.query({ username })
  const response = await startAuthentication({
    optionsJSON: passkeyAuthenticationOptions as AuthenticationOptions['optionsJSON'], // as above
  })
  const { token } = await trpc.webauthn.authenticateVerify.mutate({ ...ceremonyBody(response), username })
  return openSession({ username, token }, response)
}
