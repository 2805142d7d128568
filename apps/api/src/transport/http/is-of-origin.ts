import type { IncomingMessage } from 'node:http'
import type { ApiKey } from '../../domain/accounts/api-keys/api-key.ts'
import { calledHost } from './forwarded.ts'

/**
 * Whether a request comes from a page that may use a publishable key. Browsers name the page's origin in `Origin`, but
 * leave it out of a GET to the page's own origin (Fetch §3.2), and say `Sec-Fetch-Site: same-origin` then; neither can
 * be set by a script. Whoever is no browser writes what they like: a publishable key keeps other pages out, not
 * programs.
 *
 * @param trusted - how many proxies are trusted (TRUST_PROXY)
 */
export function isOfOrigin(
  request: IncomingMessage,
  { origins, ownPages }: ApiKey,
  trusted: number,
): boolean {
  const { origin } = request.headers
  if (origin !== undefined && origins.includes(origin)) return true
  if (request.headers['sec-fetch-site'] !== 'same-origin') return false
  // What the service itself served asks, under whatever name a proxy has given the service.
  if (ownPages) return true
  return origin === undefined && origins.some((one) => new URL(one).host === calledHost(request, trusted))
}
