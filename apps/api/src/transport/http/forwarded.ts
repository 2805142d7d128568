import type { IncomingMessage } from 'node:http'
import proxyAddress from 'proxy-addr'

/**
 * The address that a request counts for. Each proxy appends the address that it was called from to `X-Forwarded-For`; as
 * many of them as TRUST_PROXY says are trusted, the nearest first.
 */
export const callerAddress = (request: IncomingMessage, trusted: number): string =>
  proxyAddress(request, (_address, hop) => hop < trusted)

/** The host, with its port, under which a request's sender knows the service. */
export function calledHost({ headers }: IncomingMessage, trusted: number): string | undefined {
  const [forwarded] = trusted > 0 ? listOf(headers['x-forwarded-host']) : []
  return forwarded ?? headers.host
}

const listOf = (header: string | string[] | undefined) =>
  String(header ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
