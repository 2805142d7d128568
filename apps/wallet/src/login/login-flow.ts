import { type IdentityAct, identityNonce } from '@lanyard/accounts'
import { readStored, writeStored } from '@lanyard/ui'
import type { RegistrationResponseJSON } from '@simplewebauthn/browser'
import { trpc } from '../api/trpc.ts'

/** What a login is for. An act that changes something binds the login to itself, by its nonce. */
export type LoginPurpose =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'register'; readonly username: string; readonly registration: RegistrationResponseJSON }
  | { readonly kind: 'link' }
  | { readonly kind: 'ask-guardians' }

/** A login that this tab began. The provider, and whoever reads its log, knows none of `state` and `codeVerifier`. */
interface LoginFlow {
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly purpose: LoginPurpose
}

/** The browser came back from a provider, and not with a login that this tab can use. */
export class LoginFailure extends Error {
  override readonly name = 'LoginFailure'
  readonly reason: 'not-begun-here' | 'refused'

  constructor(reason: 'not-begun-here' | 'refused') {
    super(reason)
    this.reason = reason
  }
}

const key = 'lanyard.login'

/** Where the provider sends the browser back. It must know this address. */
const redirectUri = () => `${location.origin}/login`

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const random = (bytes: number) => base64Url(crypto.getRandomValues(new Uint8Array(bytes)))

/**
 * Sends the browser to a provider. The page that comes back continues ({@link finishLogin}).
 *
 * @param act - what the login is to do. Undefined: it only says who somebody is
 * @throws errors of the service
 */
export async function beginLogin(issuer: string, purpose: LoginPurpose, act?: IdentityAct): Promise<void> {
  const codeVerifier = random(32)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  const flow: LoginFlow = {
    ...{ issuer, purpose, codeVerifier, state: random(16) },
    nonce: act ? identityNonce(act) : random(16),
  }
  const { url } = await trpc.identity.start.mutate({
    ...{ issuer, redirectUri: redirectUri(), state: flow.state, nonce: flow.nonce },
    codeChallenge: base64Url(new Uint8Array(digest)),
  })
  writeStored(key, flow, 'sessionStorage')
  location.assign(url)
}

export interface FinishedLogin {
  readonly issuer: string
  readonly purpose: LoginPurpose
  readonly idToken: string
}

/**
 * Ends the login with which the browser came back. The code leaves the address at once, and works once.
 *
 * @param search - of the page's address
 * @throws LoginFailure; errors of the service
 */
export async function finishLogin(search: string): Promise<FinishedLogin> {
  history.replaceState(history.state, '', '/login')
  const flow = readStored(key, 'sessionStorage') as LoginFlow | undefined // this file wrote it, or the state differs
  writeStored(key, undefined, 'sessionStorage')
  const answer = new URLSearchParams(search)
  // Another page may have sent the browser here, with a code of its own login (login CSRF).
  if (!flow || typeof flow.state !== 'string' || answer.get('state') !== flow.state) {
    throw new LoginFailure('not-begun-here')
  }
  // RFC 9207: the answer is of the provider that was asked.
  const iss = answer.get('iss')
  if (iss !== null && iss !== flow.issuer) throw new LoginFailure('not-begun-here')
  const code = answer.get('code')
  if (code === null) throw new LoginFailure('refused')
  const { issuer, codeVerifier, nonce, purpose } = flow
  const { idToken } = await trpc.identity.exchange.mutate({
    ...{ issuer, code, codeVerifier, nonce, redirectUri: redirectUri() },
  })
  return { issuer, purpose, idToken }
}
