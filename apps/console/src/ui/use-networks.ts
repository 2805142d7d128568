import { useQuery } from '@tanstack/react-query'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'

type Networks = Outputs['overview']['read']['networks']
const none: Networks = []

/** The networks, from the overview. */
export function useNetworks(): Networks {
  const { data } = useQuery({
    queryKey: ['overview'],
    queryFn: () => trpc.overview.read.query(),
    staleTime: 30_000,
  })
  return data?.networks ?? none
}

/** The names of networks by chain id. */
export function useNetworkName(): (network: number) => string {
  const networks = useNetworks()
  return (network) => networks.find((one) => one.network === network)?.name ?? String(network)
}
