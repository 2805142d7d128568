import type { IncomingMessage } from 'node:http'
import proxyAddress from 'proxy-addr'

/**
 * The address that a request counts for. Each proxy appends the address of its caller to `X-Forwarded-For`.
 * TRUST_PROXY says how many of these are trusted, counted from the nearest.
 */
export const callerAddress = (request: IncomingMessage, trusted: number): string =>
  proxyAddress(request, (_address, hop) => hop < trusted)

/** The host, with its port, under which the sender of a request knows the service. */
export function calledHost({ headers }: IncomingMessage, trusted: number): string | undefined {
  const [forwarded] = trusted > 0 ? listOf(headers['x-forwarded-host']) : []
  return forwarded ?? headers.host
}

const listOf = (header: string | string[] | undefined) =>
  String(header ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
