import { brand } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import type { Currency } from '../amounts/currency.ts'
import { trpc } from '../api/trpc.ts'

/** A network of the service as the wallet shows it. */
export interface Network {
  readonly chainId: number
  readonly name: string
  readonly explorerUrl: string | undefined
  /** True for a development network with test money. */
  readonly local: boolean
  /** The native currency, then the tokens that the service names. */
  readonly currencies: readonly Currency[]
  /** Undefined if this network does not take part in the combined balance. */
  readonly smartBalance: SmartBalance | undefined
  /** The SessionKeys contract. Undefined if this network has none. */
  readonly sessionKeys: Address | undefined
}

/** A network's part of the combined balance. */
export interface SmartBalance {
  readonly address: Address
  /** The settlement token, with its own decimals. */
  readonly token: Currency & { readonly token: Address }
  /** The same currency with the decimals that the protocol uses on every network. */
  readonly unit: Currency
}

/** Decimals of all smart balance amounts, regardless of a network's token. */
export const smartBalanceDecimals = 6

/** A loopback network holds no real money. Only such networks have a faucet. */
const isLoopback = (url: string) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]?/.test(url)

/** The networks of this service, asked now. */
export async function fetchNetworks({ signal }: { signal?: AbortSignal } = {}): Promise<readonly Network[]> {
  const { networks } = await trpc.system.networks.query({}, signal ? { signal } : {})
  return networks.map(
    ({ network, name, explorerUrl, rpcUrl, nativeCurrency, settlementToken, smartBalance, sessionKeys }) => {
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
        currencies: [
          { symbol: nativeCurrency.symbol, decimals: nativeCurrency.decimals },
          ...(token ? [token] : []),
        ],
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

/** The networks of this service. They change only when its configuration changes. */
export function useNetworks() {
  return useQuery({ queryKey: ['networks'], queryFn: fetchNetworks, staleTime: Number.POSITIVE_INFINITY })
}

/** A network that takes part in the combined balance, if the wallet shows it. */
export type SmartBalanceNetwork = Network & { readonly smartBalance: SmartBalance }

export const hasSmartBalance = (network: Network): network is SmartBalanceNetwork =>
  brand.features.combinedBalance && network.smartBalance !== undefined
