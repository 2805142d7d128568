import { BlockList, isIPv4 } from 'node:net'

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
