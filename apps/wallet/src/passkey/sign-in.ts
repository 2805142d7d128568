import { ceremonyBody } from '@lanyard/client'
import { base64URLStringToBuffer, bufferToBase64URLString } from '@simplewebauthn/browser'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { openSession } from '../sign-in/open-session.ts'
import { askPasskey, type RequestOptions } from './ceremonies.ts'

/** What ends the current offer in the username field's suggestions. */
let offer = new AbortController()

/**
 * Begins an offer of passkeys in the username field's suggestions, in place of the one before. A sign-in by button ends it at
 * the press: an offer whose options arrive later would close the prompt that the button has opened.
 */
export function beginOffer(): AbortController {
  offer.abort()
  offer = new AbortController()
  return offer
}

/**
 * Signs in with the passkey that the person picks from the suggestions (conditional mediation, WebAuthn L3 §5.1.4).
 *
 * @param signal - ends the wait for the pick
 * @throws like {@link openSession}, and errors of the ceremony
 */
export async function signInFromSuggestions(signal: AbortSignal): Promise<Session> {
  const { passkeyAuthenticationOptions: options } = await trpc.webauthn.discoverOptions.query({}, { signal })
  // Not startAuthentication: it asks the browser once more before it begins, and then ends a prompt that has opened meanwhile.
  const credential = (await navigator.credentials.get({
    mediation: 'conditional',
    signal,
    // The schema has `string` where the standard has literals.
    publicKey: {
      ...options,
      challenge: base64URLStringToBuffer(options.challenge),
      allowCredentials: [],
    } as PublicKeyCredentialRequestOptions,
  })) as PublicKeyCredential // what a request with `publicKey` resolves to
  const response = credential.response as AuthenticatorAssertionResponse // as above
  const { authenticatorData, clientDataJSON, signature, userHandle } = response
  const answer = {
    id: credential.id,
    rawId: bufferToBase64URLString(credential.rawId),
    response: {
      authenticatorData: bufferToBase64URLString(authenticatorData),
      clientDataJSON: bufferToBase64URLString(clientDataJSON),
      signature: bufferToBase64URLString(signature),
      ...(userHandle && { userHandle: bufferToBase64URLString(userHandle) }),
    },
    clientExtensionResults: credential.getClientExtensionResults(),
  }
  return open(options, await trpc.webauthn.discoverVerify.mutate(ceremonyBody(answer)), answer)
}

/**
 * Signs in with the passkey that the person picks. The authenticator knows the user, so nobody types a name.
 *
 * @throws like {@link openSession}, and errors of the ceremony
 */
export async function signIn(): Promise<Session> {
  offer.abort()
  const { passkeyAuthenticationOptions: options } = await trpc.webauthn.discoverOptions.query({})
  const response = await askPasskey(options)
  return open(options, await trpc.webauthn.discoverVerify.mutate(ceremonyBody(response)), response)
}

/**
 * Signs in with a passkey of `username`. This includes passkeys that a security key stores without a user
 * name.
 *
 * @throws like {@link signIn}
 */
export async function signInAs(username: string): Promise<Session> {
  offer.abort()
  const { passkeyAuthenticationOptions } = await trpc.webauthn.authenticateOptions.query({ username })
  return signInWith(passkeyAuthenticationOptions, username)
}

/**
 * Signs in with a passkey of a user who is named already.
 *
 * @throws like {@link signIn}
 */
export async function signInWith(options: RequestOptions, username: string): Promise<Session> {
  const response = await askPasskey(options)
  const { token } = await trpc.webauthn.authenticateVerify.mutate({ ...ceremonyBody(response), username })
  return open(options, { username, token }, response)
}

type Assertion = Parameters<typeof openSession>[1] & {
  readonly response: { readonly userHandle?: string | undefined }
}

async function open(
  { rpId }: Pick<RequestOptions, 'rpId'>,
  signedIn: Parameters<typeof openSession>[0],
  assertion: Assertion,
): Promise<Session> {
  const session = await openSession(signedIn, assertion)
  const { id: credentialId, response } = assertion
  const { userHandle } = response
  const { username } = session
  // The screen does not wait for it.
  void import('./signal.ts').then((signal) =>
    signal.signalUsername({ rpId, credentialId, userHandle, username }),
  )
  return session
}
