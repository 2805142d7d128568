import type { IncomingMessage, ServerResponse } from 'node:http'
import { sessionLifetime } from '../domain/operators/operator-sessions.ts'

/** `__Host-`: a browser accepts it only with Secure, for this host alone (RFC 6265bis §4.1.3.2). */
const nameFor = (isSecure: boolean) => (isSecure ? '__Host-lanyard-console' : 'lanyard-console')

export function readSessionCookie({ headers }: IncomingMessage, isSecure: boolean): string | undefined {
  const prefix = `${nameFor(isSecure)}=`
  const cookie = headers.cookie
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix))
  const token = cookie?.slice(prefix.length)
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
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
