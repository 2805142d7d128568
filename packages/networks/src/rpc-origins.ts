import type { NetworkConfig } from './config.ts'

/**
 * Who answers at an RPC address, as far as the address shows: its domain, without the names of machines under
 * it. Two addresses of one provider have one origin. Names that are not public domains count in full.
 */
export function originOf(url: string): string {
  const { hostname } = new URL(url)
  const labels = hostname.split('.')
  const last = labels.at(-1) ?? ''
  const isPublicName = labels.length > 1 && /^[a-z]/.test(last) && !privateSuffixes.has(last)
  return isPublicName ? labels.slice(-2).join('.') : hostname
}

/** RFC 6762, RFC 6761, and ICANN's name for private networks. */
const privateSuffixes: ReadonlySet<string> = new Set(['local', 'localhost', 'internal', 'test', 'invalid'])

type Addresses = Pick<NetworkConfig, 'rpcUrls' | 'rpcOrigins'>

/** The origin of each RPC address of a network: as configured, otherwise from the address itself. */
export const rpcOrigins = ({ rpcUrls, rpcOrigins: named }: Addresses): readonly string[] =>
  rpcUrls.map((url, index) => named?.[index] ?? originOf(url))

/** A network as attestors see it: by RPCs of their own, where they are configured. */
export const forAttestors = (config: NetworkConfig): NetworkConfig =>
  config.attestorRpcUrls === undefined
    ? config
    : { ...config, rpcUrls: config.attestorRpcUrls, rpcOrigins: config.attestorRpcOrigins }
