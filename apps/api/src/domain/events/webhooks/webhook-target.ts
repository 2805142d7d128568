import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** A URL that webhooks must not be sent to. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

/** Whether webhooks may reach private networks: only if every network of the service is a local one. */
export interface TargetPolicy {
  readonly isLocal: boolean
}

/**
 * Parses the URL of a webhook.
 *
 * @throws TargetRefused when its text shows that it is not a URL of the public internet
 */
export function parseTarget(text: string, { isLocal }: TargetPolicy): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const protocols = isLocal ? ['https:', 'http:'] : ['https:']
  if (!url || !protocols.includes(url.protocol)) {
    throw new TargetRefused(`Expected an address that begins with ${isLocal ? 'http:// or ' : ''}https://.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new TargetRefused('The address has a user name or password. Check signatures instead.')
  }
  // The URL parser normalises every spelling of an IPv4 address.
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isLocal && (isIP(address) !== 0 || isLocalhost.test(address))) requirePublic(address)
  url.hash = ''
  return url
}

/** Names that always mean this machine (RFC 6761, section 6.3). */
const isLocalhost = /^(.+\.)?localhost\.?$/

/**
 * Resolves a host for one connection, which uses only these addresses. A name that later resolves differently
 * therefore leads nowhere else. One private address among them rejects the name.
 */
export const lookupTarget =
  ({ isLocal }: TargetPolicy, resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      try {
        if (!isLocal) for (const { address } of addresses) requirePublic(address)
      } catch (refusal) {
        return callback(refusal as TargetRefused, []) // requirePublic throws nothing else
      }
      const [first] = addresses
      if (options.all || !first) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }

function requirePublic(address: string): void {
  if (isIP(address) !== 0 && isPublicAddress(address)) return
  throw new TargetRefused(`${address} is not a public internet address.`)
}
