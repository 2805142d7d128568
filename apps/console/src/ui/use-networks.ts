import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'

/** The names of networks by chain id, from the overview. */
export function useNetworkName(): (network: number) => string {
  const { data } = useQuery({
    queryKey: ['overview'],
    queryFn: () => trpc.overview.read.query(),
    staleTime: 30_000,
  })
  return (network) => data?.networks.find((one) => one.network === network)?.name ?? String(network)
}
