import type { Address } from 'viem'

/** A currency of an amount. */
export interface Currency {
  readonly symbol: string
  readonly decimals: number
  /** Absent for the network's native currency. */
  readonly token?: Address
}

/** The currency that pays for gas. The service uses the same name for it on every network. */
export const nativeCurrency: Currency = { symbol: 'ETH', decimals: 18 }
