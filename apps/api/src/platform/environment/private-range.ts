import { BlockList, isIP } from 'node:net'

/** Networks that organisations number themselves: RFC 1918, RFC 6598 and RFC 4193. */
const ownNetworks = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
] as const

export interface PrivateRange {
  readonly network: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/**
 * Parses a range such as `10.1.0.0/16`.
 *
 * @returns undefined if it is no range, or not within an organisation's own networks: loopback and link-local
 * addresses, behind which clouds keep credentials, can never be named
 */
export function parsePrivateRange(text: string): PrivateRange | undefined {
  const [, network = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const version = isIP(network)
  const prefix = Number(digits)
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const isOwn = ownNetworks.some(([own, least]) => {
    if (prefix < least || isIP(own) !== version) return false
    const list = new BlockList()
    list.addSubnet(own, least, family)
    return list.check(network, family)
  })
  return isOwn ? { network, prefix, family } : undefined
}

export function toBlockList(ranges: readonly PrivateRange[]): BlockList {
  const list = new BlockList()
  for (const { network, prefix, family } of ranges) list.addSubnet(network, prefix, family)
  return list
}
