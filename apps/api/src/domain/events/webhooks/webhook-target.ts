import { lookup } from 'node:dns'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'

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

/** Special-purpose addresses that the IANA registries do not mark as globally reachable, and multicast. */
const special = new BlockList()
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
]) {
  const [network = '', prefix] = range.split('/')
  special.addSubnet(network, Number(prefix), 'ipv4')
}
for (const [network, prefix] of [
  // Benchmarking, ORCHID and Teredo; documentation; 6to4, which leads to any IPv4 address; documentation.
  ...([
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ] as const),
]) {
  special.addSubnet(network, prefix, 'ipv6')
}

/** The only globally routed part of IPv6. It excludes mapped and translated IPv4 and local addresses. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address belongs to the public internet. */
export const isPublicAddress = (address: string): boolean =>
  isIPv4(address)
    ? !special.check(address, 'ipv4')
    : global.check(address, 'ipv6') && !special.check(address, 'ipv6')
