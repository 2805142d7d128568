import { type CallNetwork, type SmartBalance, toCallNetwork } from '@lanyard/calls'
import { brand } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'

/** A network of the service as the wallet shows it. */
export interface Network extends CallNetwork {
  readonly chainId: number
  readonly name: string
  readonly explorerUrl: string | undefined
  /** True for a development network with test money. */
  readonly local: boolean
}

/** A loopback network holds no real money. Only such networks have a faucet. */
const isLoopback = (url: string) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]?/.test(url)

/** The networks of this service, asked now. */
export async function fetchNetworks({ signal }: { signal?: AbortSignal } = {}): Promise<readonly Network[]> {
  const { networks } = await trpc.system.networks.query({}, signal ? { signal } : {})
  return networks.map(({ network, name, explorerUrl, rpcUrl, ...contracts }) => ({
    chainId: network,
    name,
    explorerUrl,
    local: rpcUrl !== undefined && isLoopback(rpcUrl),
    ...toCallNetwork(contracts),
  }))
}

/** The networks of this service. They change only when its configuration changes. */
export function useNetworks() {
  return useQuery({ queryKey: ['networks'], queryFn: fetchNetworks, staleTime: Number.POSITIVE_INFINITY })
}

/** A network that takes part in the combined balance, if the wallet shows it. */
export type SmartBalanceNetwork = Network & { readonly smartBalance: SmartBalance }

export const hasSmartBalance = (network: Network): network is SmartBalanceNetwork =>
  brand.features.combinedBalance && network.smartBalance !== undefined
