import type { Address } from 'viem'

/** Something that an amount can be of. */
export interface Currency {
  readonly symbol: string
  readonly decimals: number
  /** Absent for the network's own currency. */
  readonly token?: Address
}

/** What gas is paid in. The service gives every network the same name for it. */
export const nativeCurrency: Currency = { symbol: 'ETH', decimals: 18 }
