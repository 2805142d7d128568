import type { Network } from '@lanyard/networks'

/** Whether accounts, in lower case, were deployed when they were last read, by network. A wrong entry costs a simulation. */
const seen = new WeakMap<Network, Map<string, boolean>>()

const maxSeen = 100_000

export function rememberDeployed(network: Network, account: string, deployed: boolean): void {
  const known = seen.get(network)
  if (!known || known.size >= maxSeen) seen.set(network, new Map([[account.toLowerCase(), deployed]]))
  else known.set(account.toLowerCase(), deployed)
}

/** Undefined if nothing is known: the account was never read, or an operation has deployed it since. */
export const wasDeployed = (network: Network, account: string): boolean | undefined =>
  seen.get(network)?.get(account.toLowerCase())

/** After an operation that deploys its account: what was read before no longer holds. */
export function forgetDeployed(network: Network, account: string): void {
  seen.get(network)?.delete(account.toLowerCase())
}
