import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** A URL that no webhook is sent to. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

/** Whether private networks may be reached: only where every network of the service is a local one. */
export interface TargetPolicy {
  readonly isLocal: boolean
}

/**
 * The URL of a webhook.
 *
 * @throws TargetRefused for what is no URL of the public internet, as far as the text tells
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
  // The parser has made every way to write an IPv4 address into the usual one.
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isLocal && isIP(address) !== 0) requirePublic(address)
  url.hash = ''
  return url
}

/**
 * Finds the addresses of a host for one connection, which is made to these and no others: a name that answers differently
 * the next time leads nowhere else. One private address among them refuses the name.
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
  if (isPublicAddress(address)) return
  throw new TargetRefused(`${address} is not an address of the public internet.`)
}
