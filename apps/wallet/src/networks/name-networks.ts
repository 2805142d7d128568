import type { Network } from './use-networks.ts'

/** Lists network names for running text. */
export function nameNetworks(chainIds: readonly number[], networks: readonly Network[]): string {
  const names = chainIds.map((id) => networks.find(({ chainId }) => chainId === id)?.name ?? `network ${id}`)
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names)
}
