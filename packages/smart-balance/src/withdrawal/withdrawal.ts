import type { Address, Hex } from 'viem'

/** An immediate withdrawal from the account's own deposit, which the operator co-signs. */
export interface Withdrawal {
  readonly to: Address
  /** The amount paid out, in 6-decimal units. uint128. */
  readonly amount: bigint
  /** The operator's fee, in 6-decimal units. uint128. */
  readonly fee: bigint
  /** 32 bytes that make otherwise equal withdrawals differ. */
  readonly salt: Hex
  /** Unix seconds: the last second in which it may be used. */
  readonly deadline: number
}
