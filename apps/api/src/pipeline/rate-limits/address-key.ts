import ipaddr from 'ipaddr.js'

/**
 * A host may use any address of its own network, which is a /64 (RFC 4291 §2.5.4): four groups of 16 bits.
 */
const networkGroups = 4

/**
 * Some proxies append the caller's port: `203.0.113.7:5678`, `[2001:db8::1]:5678`; some write only the
 * brackets.
 */
const withPort = [/^([\d.]+):\d{1,5}$/, /^\[([^\]]*:[^\]]*)\](?::\d{1,5})?$/]

/**
 * The key under which requests from an address are counted: the address, or for IPv6 its /64.
 *
 * @param named - the address that the proxies report
 * @param connected - the address of the connection, used when the other is not an address
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
