import type { IncomingMessage } from 'node:http'

/**
 * The address that a request counts for. Each proxy appends the address that it was called from to `X-Forwarded-For`; as
 * many of them as TRUST_PROXY says are believed, the nearest first.
 */
export function callerAddress({ socket, headers }: IncomingMessage, trusted: number): string | undefined {
  if (trusted === 0) return socket.remoteAddress
  const forwarded = listOf(headers['x-forwarded-for']).reverse()
  const addresses = [socket.remoteAddress, ...forwarded]
  return addresses[Math.min(trusted, forwarded.length)]
}

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
