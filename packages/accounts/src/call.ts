import type { Address, Hex } from 'viem'

/** One call that the account makes. */
export interface Call {
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
}
