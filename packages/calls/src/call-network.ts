import type { Address } from 'viem'
import type { Currency } from './currency.ts'

/** What is known of the contracts of a network. */
export interface CallNetwork {
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

/** A network in the service's format. */
interface ServiceNetwork {
  readonly nativeCurrency: { readonly symbol: string; readonly decimals: number }
  readonly settlementToken: {
    readonly symbol: string
    readonly decimals: number
    readonly address: Address
  } | null
  readonly smartBalance: Address | null
  readonly sessionKeys: Address | null
}

/** Reads a network of the service. */
export function toCallNetwork({
  nativeCurrency: { symbol, decimals },
  settlementToken,
  smartBalance,
  sessionKeys,
}: ServiceNetwork): CallNetwork {
  const token = settlementToken && {
    symbol: settlementToken.symbol,
    decimals: settlementToken.decimals,
    token: settlementToken.address,
  }
  return {
    currencies: [{ symbol, decimals }, ...(token ? [token] : [])],
    smartBalance:
      token && smartBalance
        ? { address: smartBalance, token, unit: { symbol: token.symbol, decimals: smartBalanceDecimals } }
        : undefined,
    sessionKeys: sessionKeys ?? undefined,
  }
}
