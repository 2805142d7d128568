import ipaddr from 'ipaddr.js'

/** A host may take any address of its own network, which is a /64 (RFC 4291 §2.5.4): four groups of 16 bits. */
const networkGroups = 4

/** Some proxies append the caller's port: `203.0.113.7:5678`, `[2001:db8::1]:5678`; some write the brackets alone. */
const withPort = [/^([\d.]+):\d{1,5}$/, /^\[([^\]]*:[^\]]*)\](?::\d{1,5})?$/]

/**
 * The caller that requests from an address count for: the address, with IPv6 its /64.
 *
 * @param named - by the proxies in front
 * @param connected - of the connection; it counts where the other is no address
 */
export function addressKey(named: string, connected: string | undefined): string {
  return keyOf(named) ?? keyOf(connected ?? '') ?? 'unknown'
}

function keyOf(text: string): string | undefined {
  const address = withPort.reduce((rest, form) => form.exec(rest)?.[1] ?? rest, text)
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address) // an IPv4 address in its IPv6 form is that IPv4 address
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, networkGroups).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}
