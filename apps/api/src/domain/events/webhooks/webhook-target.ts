import { lookup } from 'node:dns'
import { type BlockList, isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** A URL that webhooks must not be sent to. */
export class TargetRejected extends Error {
  override readonly name = 'TargetRefused'
}

/** Which addresses webhooks may reach besides the public internet. */
export interface TargetPolicy {
  /** True for all of them: every network of the service is a local one. */
  readonly isLocal: boolean
  /** WEBHOOK_PRIVATE_RANGES. Default: none. */
  readonly privateRanges?: BlockList | undefined
}

/**
 * Parses the URL of a webhook.
 *
 * @throws TargetRefused when its text shows that it is not a URL of the public internet
 */
export function parseTarget(text: string, policy: TargetPolicy): URL {
  const { isLocal } = policy
  const url = URL.canParse(text) ? new URL(text) : undefined
  const protocols = isLocal ? ['https:', 'http:'] : ['https:']
  if (!url || !protocols.includes(url.protocol)) {
    throw new TargetRejected(`Expected an address that begins with ${isLocal ? 'http:// or ' : ''}https://.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new TargetRejected('The address has a user name or password. Check signatures instead.')
  }
  // The URL parser normalises every spelling of an IPv4 address.
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isLocal && (isIP(address) !== 0 || isLocalhost.test(address))) requireReachable(address, policy)
  url.hash = ''
  return url
}

/** Names that always mean this machine (RFC 6761, section 6.3). */
const isLocalhost = /^(.+\.)?localhost\.?$/

/**
 * Resolves a host for one connection, which uses only these addresses. A name that later resolves differently
 * therefore leads nowhere else. One address among them that may not be
 * reached rejects the name.
 */
export const lookupTarget =
  (policy: TargetPolicy, resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      try {
        if (!policy.isLocal) for (const { address } of addresses) requireReachable(address, policy)
      } catch (rejection) {
        return callback(rejection as TargetRejected, []) // requireReachable throws nothing else
      }
      const [first] = addresses
      if (options.all || !first) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }

function requireReachable(address: string, { privateRanges }: TargetPolicy): void {
  const version = isIP(address)
  if (version !== 0 && isPublicAddress(address)) return
  if (version !== 0 && privateRanges?.check(address, version === 4 ? 'ipv4' : 'ipv6')) return
  throw new TargetRejected(`${address} is not a public internet address.`)
}
