import type { IncomingMessage, ServerResponse } from 'node:http'
import { sessionLifetime } from '../domain/operators/operator-sessions.ts'

/** `__Host-`: a browser accepts it only with Secure, for this host alone (RFC 6265bis §4.1.3.2). */
const nameFor = (isSecure: boolean) => (isSecure ? '__Host-lanyard-console' : 'lanyard-console')

function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const prefix = `${name}=`
  const cookie = headers.cookie
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix))
  return cookie?.slice(prefix.length)
}

export function readSessionCookie(request: IncomingMessage, isSecure: boolean): string | undefined {
  const token = readCookie(request, nameFor(isSecure))
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}

/** A sign-in at the identity provider that this browser has begun. */
export interface SignInFlow {
  readonly secret: string
  /** The page to show afterwards. */
  readonly path: string
}

/** Seconds that a person has at the identity provider. */
const flowLifetime = 600

const flowName = (isSecure: boolean) => `${nameFor(isSecure)}-sign-in`

/** A cookie cannot be taken from one flow to the next: each has its own secret. */
export function readFlowCookie(request: IncomingMessage, isSecure: boolean): SignInFlow | undefined {
  const found = /^([\w-]{43})\.([\w-]*)$/.exec(readCookie(request, flowName(isSecure)) ?? '')
  const [, secret, path] = found ?? []
  if (secret === undefined || path === undefined) return undefined
  return { secret, path: Buffer.from(path, 'base64url').toString() }
}

/** Lax, not Strict: the browser comes back from a page of the provider. @param flow - undefined: over */
export function writeFlowCookie(
  response: ServerResponse,
  isSecure: boolean,
  flow: SignInFlow | undefined,
): void {
  const value = flow ? `${flow.secret}.${Buffer.from(flow.path).toString('base64url')}` : ''
  response.appendHeader(
    'Set-Cookie',
    `${flowName(isSecure)}=${value}; Path=/; Max-Age=${flow ? flowLifetime : 0}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  )
}

/**
 * Sets the session's cookie, or clears it. No script can read it, and no other site can send it.
 *
 * @param token - undefined: signed out
 */
export function writeSessionCookie(
  response: ServerResponse,
  isSecure: boolean,
  token: string | undefined,
): void {
  const age = token === undefined ? 0 : Math.floor(sessionLifetime / 1000)
  response.appendHeader(
    'Set-Cookie',
    `${nameFor(isSecure)}=${token ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
  )
}
