import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
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
  /** Undefined: this network takes no part in the combined balance. */
  readonly smartBalance: SmartBalance | undefined
  /** The contract that keeps sessions; undefined: none on this network. */
  readonly sessionKeys: Address | undefined
}

/** A network's part of the combined balance. */
export interface SmartBalance {
  readonly address: Address
  /** What is deposited, in the token's own units. */
  readonly token: Currency & { readonly token: Address }
  /** The same in the units in which the protocol counts on every network. */
  readonly unit: Currency
}

/** Decimals of every amount of the smart balance, whatever the token of a network has. */
export const smartBalanceDecimals = 6

/** Loopback, so nobody's money: only such networks have a faucet. */
const isLoopback = (url: string) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]?/.test(url)

async function fetchNetworks({ signal }: { signal: AbortSignal }): Promise<readonly Network[]> {
  const { networks } = await trpc.system.networks.query({}, { signal })
  return networks.map(
    ({ network, name, explorerUrl, rpcUrl, settlementToken, smartBalance, sessionKeys }) => {
      const token = settlementToken && {
        symbol: settlementToken.symbol,
        decimals: settlementToken.decimals,
        token: settlementToken.address,
      }
      return {
        chainId: network,
        name,
        explorerUrl,
        local: rpcUrl !== undefined && isLoopback(rpcUrl),
        currencies: token ? [nativeCurrency, token] : [nativeCurrency],
        smartBalance:
          token && smartBalance
            ? {
                address: smartBalance,
                token,
                unit: { symbol: token.symbol, decimals: smartBalanceDecimals },
              }
            : undefined,
        sessionKeys: sessionKeys ?? undefined,
      }
    },
  )
}

/** The networks of this service. They change only with its configuration. */
export function useNetworks() {
  return useQuery({ queryKey: ['networks'], queryFn: fetchNetworks, staleTime: Number.POSITIVE_INFINITY })
}
