import type { Address, Hex } from 'viem'

/** An immediate withdrawal from the account's own deposit, which the operator co-signs. */
export interface Withdrawal {
  readonly to: Address
  /** Paid out, in 6-decimals units. uint128. */
  readonly amount: bigint
  /** Taken for the operator, in 6-decimals units. uint128. */
  readonly fee: bigint
  /** 32 bytes, so that equal withdrawals differ. */
  readonly salt: Hex
  /** Unix seconds: the last second in which it may be used. */
  readonly deadline: number
}
