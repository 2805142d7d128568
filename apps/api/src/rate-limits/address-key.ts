import ipaddr from 'ipaddr.js'

/** A host may take any address of its own network, which is a /64 (RFC 4291 §2.5.4): four groups of 16 bits. */
const networkGroups = 4

/** Whom requests from an address are counted for: the address, with IPv6 its /64. */
export function addressKey(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address) // an IPv4 address in its IPv6 form is that IPv4 address
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, networkGroups).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}
