import { useQuery } from '@tanstack/react-query'
import { type Currency, nativeCurrency } from '../amounts/currency.ts'
import { trpc } from '../api/trpc.ts'

/** A network of the service as the wallet shows it. */
export interface Network {
  readonly chainId: number
  readonly name: string
  readonly explorerUrl: string | undefined
  /** A development network with play money. */
  readonly local: boolean
  readonly currencies: readonly Currency[]
}

/** Loopback, so nobody's money: only such networks have a faucet. */
const isLoopback = (url: string) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]?/.test(url)

async function fetchNetworks(): Promise<readonly Network[]> {
  const { networks } = await trpc.system.networks.query({})
  return networks.map(({ network, name, explorerUrl, rpcUrl, settlementToken }) => ({
    chainId: network,
    name,
    explorerUrl,
    local: rpcUrl !== undefined && isLoopback(rpcUrl),
    currencies: settlementToken
      ? [
          nativeCurrency,
          {
            symbol: settlementToken.symbol,
            decimals: settlementToken.decimals,
            token: settlementToken.address,
          },
        ]
      : [nativeCurrency],
  }))
}

/** The networks of this service. They change only with its configuration. */
export function useNetworks() {
  return useQuery({ queryKey: ['networks'], queryFn: fetchNetworks, staleTime: Number.POSITIVE_INFINITY })
}
