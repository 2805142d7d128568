import type { IncomingMessage } from 'node:http'
import type { ApiKey } from '../../domain/accounts/api-keys/api-key.ts'
import { calledHost } from './forwarded.ts'

/**
 * Whether a request comes from a page that may use a publishable key. Browsers name the page's origin in
 * `Origin`. For a GET to the page's own origin they omit it (Fetch §3.2) and send `Sec-Fetch-Site:
 * same-origin`. Scripts can set neither header. Other programs can send any header: a publishable key
 * excludes other pages, not programs.
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
  // The request comes from a page that the service itself served, under any name that a proxy gives the
  // service.
  if (ownPages) return true
  return origin === undefined && origins.some((one) => new URL(one).host === calledHost(request, trusted))
}
