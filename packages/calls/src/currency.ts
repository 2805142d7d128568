import type { Address } from 'viem'

/** A currency of an amount. */
export interface Currency {
  readonly symbol: string
  readonly decimals: number
  /** Absent for the network's native currency. */
  readonly token?: Address
}

/**
 * The currency of a network that pays for gas: the one without a token. A network that the service no longer
 * lists has no name for it.
 */
export const nativeOf = (currencies: readonly Currency[]): Currency =>
  currencies.find(({ token }) => token === undefined) ?? { symbol: 'coins', decimals: 18 }
